#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/daemon/agent.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../output/report_json.h"

#define FILES_BYTES_MAX	 (512u << 10) /* texts and paths */
#define STATUS_BYTES_MAX (1u << 20)

/* ---- files ---- */

/* Processes are those of users, and /proc/sys/kernel names the host. */
static bool is_of_kernel(const char *path)
{
	return strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/sys/net/", 14) == 0;
}

static void record(void *arg, const char *path, const char *text)
{
	struct recording *r = arg;
	size_t size = strlen(path) + strlen(text);

	if (!is_of_kernel(path) || json_object_get(r->files, path))
		return;
	if (size > FILES_BYTES_MAX - r->bytes) {
		r->omitted++;
		return;
	}
	r->bytes += size;
	json_object_set_new(r->files, path, json_from_text(text));
}

void host_record(struct host *h, struct recording *r)
{
	h->file_was_read = record;
	h->file_arg = r;
}

void host_unrecord(struct host *h)
{
	h->file_was_read = NULL;
	h->file_arg = NULL;
}

/* ---- counters ---- */

static json_t *sample_to_json(const struct sample *s)
{
	json_t *object = json_object();
	char name[COUNTER_NAME_MAX];

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (s->has[i])
			json_object_set_new(object, counter_slot_name(i, name),
					    json_integer((json_int_t)s->value[i]));
	return object;
}

static json_t *port_sample(struct cli *c, const struct port *p, struct scratch *scratch)
{
	_free_ struct sample *s = oom_calloc(1, sizeof(*s));
	struct err err = { 0 };

	if (s && sample_read(c->h, all_backends.counter_readers, p, scratch, s, &err))
		return json_pack("{s:o, s:I, s:o}", "port", json_from_text(p->id.name), "uptime_ms",
				 (json_int_t)s->at_ms, "counters", sample_to_json(s));
	return json_pack("{s:o, s:o}", "port", json_from_text(p->id.name), "error",
			 report_error(&err));
}

static json_t *all_ports(struct cli *c, const struct inventory *inv, struct scratch *scratch)
{
	json_t *ports = json_array();
	char now[TIMESTAMP_MAX];

	for (size_t i = 0; i < inv->count; i++)
		json_array_append_new(ports, port_sample(c, &inv->ports[i], scratch));
	return json_pack("{s:s, s:o}", "sampled_at", timestamp_now(now), "ports", ports);
}

json_t *samples_to_json(struct cli *c, const struct inventory *inv, unsigned seconds)
{
	_free_ struct scratch *scratch = scratch_new();
	json_t *samples = json_array();

	if (!scratch)
		return samples;
	json_array_append_new(samples, all_ports(c, inv, scratch));
	if (!seconds)
		return samples;
	host_sleep(c->h, seconds * 1000);
	json_array_append_new(samples, all_ports(c, inv, scratch));
	return samples;
}

/* ---- the agent ---- */

bool status_document(struct host *h, json_t **ret, struct err *err)
{
	_free_ char *text = NULL;
	struct err why = { 0 };

	if (!host_read_large_file(h, STATUS_BYTES_MAX, &text, &why, AGENT_STATUS)) {
		if (why.kind == ERR_UNSUPPORTED)
			return err_set(err, ERR_MISSING, why.code,
				       "no agent has run since this host started");
		*err = why;
		return false;
	}
	*ret = json_loads(text, 0, NULL);
	if (json_is_object(*ret))
		return true;
	json_decref(*ret);
	return err_set(err, ERR_SYSTEM, 0, AGENT_STATUS " is not a JSON document");
}
