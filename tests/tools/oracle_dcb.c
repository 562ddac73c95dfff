/* Values that dcb reads: its JSON is in files, one for each of its objects. */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL 128

static json_t *dcb(const struct port *p, const char *object, const char *key)
{
	char path[TEXT];
	json_t *doc, *v;

	snprintf(path, sizeof(path), "%s/%s", p->folder, object);
	doc = json_load_file(path, 0, NULL);
	v = json_incref(json_object_get(doc, key));
	json_decref(doc);
	return v ? v : json_null();
}

json_t *oracle_dcbx(const struct port *p, json_t *desired)
{
	json_t *host = dcb(p, "dcbx", "host");
	json_t *word = json_string(json_is_true(host) ? "host" : "firmware");

	(void)desired;
	json_decref(host);
	return word;
}

json_t *oracle_pfc(const struct port *p, json_t *desired)
{
	json_t *on = dcb(p, "pfc", "prio_pfc"), *list = json_array(), *item;
	size_t i;

	(void)desired;
	json_array_foreach (on, i, item)
		if (json_is_true(item))
			json_array_append_new(list, json_integer((json_int_t)i));
	json_decref(on);
	return list;
}

json_t *oracle_cable(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "pfc", "delay");
}

json_t *oracle_sizes(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "buffer", "buffer_size");
}

/* Applies a function to every number of a list. */
static json_t *each(json_t *list, json_int_t (*sieve)(json_int_t v))
{
	json_t *out = json_array(), *item;
	size_t i;

	json_array_foreach (list, i, item)
		json_array_append_new(out, json_integer(sieve(json_integer_value(item))));
	return out;
}

static json_int_t whole_cells(json_int_t bytes)
{
	return bytes / CELL * CELL;
}

json_t *oracle_sizes_become(json_t *desired)
{
	return each(desired, whole_cells);
}

json_t *oracle_buffers(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "buffer", "prio_buffer");
}

json_t *oracle_classes(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "ets", "prio_tc");
}

json_t *oracle_algorithms(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "ets", "tc_tsa");
}

json_t *oracle_shares(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "ets", "tc_bw");
}

json_t *oracle_rates(const struct port *p, json_t *desired)
{
	(void)desired;
	return dcb(p, "maxrate", "tc_maxrate");
}

/* en_dcbnl.c has a byte in steps of 100 Mb/s, or above 25.5 Gb/s of 1 Gb/s; dcb prints Kbit/s. */
static json_int_t quantum(json_int_t mbps)
{
	if (mbps == 0)
		return 0;
	if (mbps < 100)
		return 100000;
	return (mbps <= 25500 ? mbps / 100 * 100 : mbps / 1000 * 1000) * 1000;
}

json_t *oracle_rates_become(json_t *desired)
{
	return each(desired, quantum);
}

json_t *oracle_trust(const struct port *p, json_t *desired)
{
	json_t *list = dcb(p, "app", "dscp_prio");
	json_t *word = json_string(json_array_size(list) ? "dscp" : "pcp");

	(void)desired;
	json_decref(list);
	return word;
}

static json_t *blank_map(void)
{
	json_t *map = json_array();

	for (int d = 0; d < DSCPS; d++)
		json_array_append_new(map, json_null());
	return map;
}

json_t *oracle_dscps(const struct port *p, json_t *desired)
{
	json_t *list = dcb(p, "app", "dscp_prio"), *map = blank_map(), *pair;
	size_t i;

	(void)desired;
	json_array_foreach (list, i, pair)
		json_array_set(map, (size_t)json_integer_value(json_array_get(pair, 0)),
			       json_array_get(pair, 1));
	json_decref(list);
	return map;
}

/* DSCPs not named are DSCP >> 3, or one number; show prints "keep" for a port with gaps. */
json_t *oracle_dscps_become(json_t *desired)
{
	json_t *map = blank_map(), *rest = json_object_get(desired, "rest"), *prio;
	const char *word = json_string_value(rest), *key;

	for (int d = 0; d < DSCPS; d++) {
		if (json_is_integer(rest))
			json_array_set(map, (size_t)d, rest);
		else if (!word || strcmp(word, "class_selector") == 0)
			json_array_set_new(map, (size_t)d, json_integer(d >> 3));
	}
	json_object_foreach (json_object_get(desired, "prio"), key, prio)
		json_array_set(map, strtoul(key, NULL, 10), prio);
	return map;
}
