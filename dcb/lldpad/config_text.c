/* Uses libconfig, as lldpad does, so that both parse the file alike. */
#include "config_text.h"

#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "client.h"

#define ETS_SETTINGS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))
#define RECO_SETTINGS \
	(SETTING(SETTING_ETS_RECO_PRIO_TC) | SETTING(SETTING_ETS_RECO_TSA) | \
	 SETTING(SETTING_ETS_RECO_BANDWIDTH))
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*"

static void destroy_config(config_t *c)
{
	config_destroy(c);
}

#define _conf_ __attribute__((cleanup(destroy_config)))

/* The number of the first line that makes libconfig include a file, or 0. */
static unsigned line_that_includes(const char *text)
{
	static const char word[] = "@include";

	for (unsigned line = 1; text; line++) {
		if (strncmp(text + strspn(text, " \t"), word, sizeof(word) - 1) == 0)
			return line;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return 0;
}

static bool config_from_text(config_t *c, const char *text, struct err *err)
{
	unsigned line = line_that_includes(text);

	if (line)
		return err_set(err, ERR_UNKNOWN, 0, "line %u includes another file", line);
	config_init(c);
	if (!config_read_string(c, text))
		return err_set(err, ERR_UNKNOWN, 0, "line %d: %s", config_error_line(c),
			       config_error_text(c));
	return true;
}

static bool config_to_text(const config_t *c, char **ret, struct err *err)
{
	_conf_ config_t again = { 0 };
	_free_ char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool failed;

	if (!f)
		return err_set(err, ERR_SYSTEM, errno, "%s", strerror(errno));
	config_write(c, f);
	failed = ferror(f);
	if (fclose(f) != 0 || failed)
		return err_set(err, ERR_SYSTEM, ENOMEM, "%s", strerror(ENOMEM));
	/* Parse the result: libconfig reads 1e999 and writes it as something it cannot read. */
	if (!config_from_text(&again, text, err))
		return false;
	*ret = take(text);
	return true;
}

/*
 * Names that lldpad can store. With others libconfig fails, and lldpad still answers "yes"; it
 * nests names with a dot, uses "common" for the defaults of all ports, and with a port "true"
 * writes a file that it cannot read.
 */
static bool name_can_be_stored(const char *port, struct err *err)
{
	if (strspn(port, LETTERS) > 0 && !port[strspn(port, LETTERS "0123456789_-")] &&
	    strcmp(port, "common") != 0 && strcasecmp(port, "true") != 0 &&
	    strcasecmp(port, "false") != 0)
		return true;
	return err_set(err, ERR_UNSUPPORTED, 0, "lldpad cannot store settings of a port \"%s\"",
		       port);
}

/* *ret is NULL if the group does not exist. */
static bool find_group(const config_setting_t *in, const char *name, config_setting_t **ret,
		       struct err *err)
{
	*ret = in ? config_setting_get_member(in, name) : NULL;
	if (*ret && !config_setting_is_group(*ret))
		return err_set(err, ERR_UNKNOWN, 0, "line %u: \"%s\" is not a group",
			       (unsigned)config_setting_source_line(*ret), name);
	return true;
}

static bool make_group(config_setting_t *in, const char *name, config_setting_t **ret,
		       struct err *err)
{
	if (!find_group(in, name, ret, err))
		return false;
	if (!*ret)
		*ret = config_setting_add(in, name, CONFIG_TYPE_GROUP);
	return *ret || err_set(err, ERR_SYSTEM, ENOMEM, "no room for \"%s\"", name);
}

/* lldp.PORT: the settings for the nearest bridge. */
static bool find_section(const config_t *c, const char *port, config_setting_t **ret,
			 struct err *err)
{
	config_setting_t *lldp;

	return find_group(config_root_setting(c), "lldp", &lldp, err) &&
	       find_group(lldp, port, ret, err);
}

static bool make_section(config_t *c, const char *port, config_setting_t **ret, struct err *err)
{
	config_setting_t *lldp;

	return make_group(config_root_setting(c), "lldp", &lldp, err) &&
	       make_group(lldp, port, ret, err);
}

/* Replaces a value of another type, which lldpad would ignore. */
static config_setting_t *typed_setting(config_setting_t *in, const char *name, int type)
{
	config_setting_t *s = config_setting_get_member(in, name);

	if (s && config_setting_type(s) != type) {
		config_setting_remove(in, name);
		s = NULL;
	}
	return s ? s : config_setting_add(in, name, type);
}

static void put_int(config_setting_t *in, const char *name, int value)
{
	config_setting_set_int(typed_setting(in, name, CONFIG_TYPE_INT), value);
}

static void put_bool(config_setting_t *in, const char *name, bool value)
{
	config_setting_set_bool(typed_setting(in, name, CONFIG_TYPE_BOOL), value);
}

static void put_string(config_setting_t *in, const char *name, const char *value)
{
	config_setting_set_string(typed_setting(in, name, CONFIG_TYPE_STRING), value);
}

/* lldpad advertises the values of its file without checking them. */
static bool write_shares(config_setting_t *tlv, const uint8_t *prio_tc, const uint8_t *tsa,
			 const uint8_t *bandwidth, struct err *err)
{
	struct lldpad_args args = { 0 };

	if (!lldpad_args_add_ets(&args, prio_tc, tsa, bandwidth, err))
		return false;
	/* lldpad_args_add_ets() adds no tcbw if no class has a share. */
	put_string(tlv, "tcbw", "0,0,0,0,0,0,0,0");
	for (size_t i = 0; i < args.count; i++)
		put_string(tlv, args.list[i].name, args.list[i].value);
	return true;
}

static bool write_pfc(config_setting_t *tlv, const struct config *advertised, struct err *err)
{
	(void)err;
	put_int(tlv, "enabled", advertised->pfc.priorities);
	put_int(tlv, "willing", advertised->dcbx.willing);
	return true;
}

static bool write_ets(config_setting_t *tlv, const struct config *advertised, struct err *err)
{
	put_int(tlv, "willing", advertised->dcbx.willing);
	return write_shares(tlv, advertised->ets.prio_tc, advertised->ets.tsa,
			    advertised->ets.bandwidth, err);
}

/* mlx5 stores no recommendation and reads all 0: that counts as none. */
static bool recommends(const struct config *c)
{
	static const uint8_t none[PRIOS];

	return (c->has & RECO_SETTINGS) == RECO_SETTINGS &&
	       (memcmp(c->ets.reco_prio_tc, none, PRIOS) != 0 ||
		memcmp(c->ets.reco_tsa, none, PRIOS) != 0);
}

/* Default recommendation: the current ETS configuration. */
static bool write_reco(config_setting_t *tlv, const struct config *advertised, struct err *err)
{
	if (!recommends(advertised))
		return write_shares(tlv, advertised->ets.prio_tc, advertised->ets.tsa,
				    advertised->ets.bandwidth, err);
	return write_shares(tlv, advertised->ets.reco_prio_tc, advertised->ets.reco_tsa,
			    advertised->ets.reco_bandwidth, err);
}

/* In the APP TLV lldpad sends the kernel's entries; those stored as APPn only apply without -R. */
static const struct {
	const char *name;
	setting_set needs; /* without all of these the TLV is not sent */
	bool (*write)(config_setting_t *tlv, const struct config *advertised, struct err *err);
} tlvs[] = {
	{ "tlvid0080c20b", SETTING(SETTING_PFC_PRIORITIES), write_pfc },
	{ "tlvid0080c209", ETS_SETTINGS, write_ets },
	{ "tlvid0080c20a", ETS_SETTINGS, write_reco },
	{ "tlvid0080c20c", 0, NULL },
};

/* enableTx is always written: ETS and PFC are sent unless it is false, and "common" may set it. */
static bool write_tlvs(config_setting_t *section, const struct config *advertised, struct err *err)
{
	for (size_t i = 0; i < sizeof(tlvs) / sizeof(tlvs[0]); i++) {
		bool sent = advertised->dcbx.advertise &&
			    (advertised->has & tlvs[i].needs) == tlvs[i].needs;
		config_setting_t *tlv;

		if (!make_group(section, tlvs[i].name, &tlv, err) ||
		    (sent && tlvs[i].write && !tlvs[i].write(tlv, advertised, err)))
			return false;
		put_bool(tlv, "enableTx", sent);
	}
	put_int(section, "adminStatus", advertised->dcbx.advertise ? LLDPAD_RXTX : LLDPAD_RX);
	return true;
}

/* `to` must have the type of `from`. */
static bool copy_setting(const config_setting_t *from, config_setting_t *to)
{
	switch (config_setting_type(from)) {
	case CONFIG_TYPE_INT:
		return config_setting_set_int(to, config_setting_get_int(from)) &&
		       config_setting_set_format(to, config_setting_get_format(from));
	case CONFIG_TYPE_INT64:
		return config_setting_set_int64(to, config_setting_get_int64(from)) &&
		       config_setting_set_format(to, config_setting_get_format(from));
	case CONFIG_TYPE_FLOAT:
		return config_setting_set_float(to, config_setting_get_float(from));
	case CONFIG_TYPE_BOOL:
		return config_setting_set_bool(to, config_setting_get_bool(from));
	case CONFIG_TYPE_STRING:
		return config_setting_set_string(to, config_setting_get_string(from));
	default:
		break;
	}
	for (unsigned i = 0; i < (unsigned)config_setting_length(from); i++) {
		const config_setting_t *member = config_setting_get_elem(from, i);
		config_setting_t *added = config_setting_add(to, config_setting_name(member),
							     config_setting_type(member));

		if (!added || !copy_setting(member, added))
			return false;
	}
	return true;
}

/* Removes an empty group "lldp" as well: it did not exist before. */
static bool remove_section(config_t *c, const char *port, struct err *err)
{
	config_setting_t *root = config_root_setting(c), *lldp;

	if (!find_group(root, "lldp", &lldp, err))
		return false;
	if (lldp) {
		config_setting_remove(lldp, port);
		if (config_setting_length(lldp) == 0)
			config_setting_remove(root, "lldp");
	}
	return true;
}

/* Replaces the section in place, so that nothing else moves. */
static bool replace_section(config_t *c, const char *port, const config_setting_t *by,
			    struct err *err)
{
	config_setting_t *section;

	if (!make_section(c, port, &section, err))
		return false;
	while (config_setting_length(section) > 0)
		config_setting_remove_elem(section, 0);
	return copy_setting(by, section) ||
	       err_set(err, ERR_SYSTEM, ENOMEM, "no room for \"%s\"", port);
}

static bool restore_section(config_t *c, const char *port, const char *section, struct err *err)
{
	_conf_ config_t old = { 0 };
	config_setting_t *was;

	if (!section)
		return remove_section(c, port, err);
	if (!err_at(err, config_from_text(&old, section, err), "the saved section") ||
	    !find_section(&old, port, &was, err))
		return false;
	if (!was)
		return err_set(err, ERR_UNKNOWN, 0, "the saved text is not a section of %s", port);
	return replace_section(c, port, was, err);
}

static bool open_conf(config_t *c, const char *conf, const char *port, struct err *err)
{
	return name_can_be_stored(port, err) &&
	       err_at(err, config_from_text(c, conf, err), "lldpad's configuration");
}

/* lldpad creates its file with the group "dcbx". */
bool lldpad_conf_check(const char *conf, struct err *err)
{
	_conf_ config_t c = { 0 };

	if (!config_from_text(&c, conf, err))
		return err_at(err, false, "lldpad's configuration");
	return config_lookup(&c, "lldp") || config_lookup(&c, "dcbx") ||
	       err_set(err, ERR_REFUSED, EINVAL,
		       "lldpad's file has neither \"lldp\" nor \"dcbx\": it is not its "
		       "configuration");
}

bool lldpad_conf_section(const char *conf, const char *port, char **ret, struct err *err)
{
	_conf_ config_t c = { 0 }, own = { 0 };
	config_setting_t *section;

	if (!open_conf(&c, conf, port, err) || !find_section(&c, port, &section, err))
		return false;
	*ret = NULL;
	config_init(&own);
	return !section ||
	       (replace_section(&own, port, section, err) && config_to_text(&own, ret, err));
}

static bool copy_group(const config_setting_t *section, const char *name, config_setting_t *to,
		       struct err *err)
{
	config_setting_t *from, *copy;

	if (!find_group(section, name, &from, err))
		return false;
	if (!from)
		return true;
	return make_group(to, name, &copy, err) &&
	       (copy_setting(from, copy) ||
		err_set(err, ERR_SYSTEM, ENOMEM, "no room for \"%s\"", name));
}

/* Copies what write_tlvs() writes. */
static bool copy_tlvs(const config_setting_t *section, config_setting_t *to, struct err *err)
{
	int admin;

	for (size_t i = 0; i < sizeof(tlvs) / sizeof(tlvs[0]); i++)
		if (!copy_group(section, tlvs[i].name, to, err))
			return false;
	if (config_setting_lookup_int(section, "adminStatus", &admin))
		put_int(to, "adminStatus", admin);
	return true;
}

bool lldpad_conf_advertised(const char *conf, const char *port, char **ret, struct err *err)
{
	_conf_ config_t c = { 0 }, own = { 0 };
	config_setting_t *section;

	if (!open_conf(&c, conf, port, err) || !find_section(&c, port, &section, err))
		return false;
	config_init(&own);
	return (!section || copy_tlvs(section, config_root_setting(&own), err)) &&
	       config_to_text(&own, ret, err);
}

bool lldpad_conf_restore(const char *conf, const char *port, const char *section, char **ret,
			 struct err *err)
{
	_conf_ config_t c = { 0 };

	return open_conf(&c, conf, port, err) && restore_section(&c, port, section, err) &&
	       config_to_text(&c, ret, err);
}

bool lldpad_conf_amend(const char *conf, const char *port, const struct config *advertised,
		       char **ret, struct err *err)
{
	_conf_ config_t c = { 0 };
	config_setting_t *section;

	return open_conf(&c, conf, port, err) && make_section(&c, port, &section, err) &&
	       write_tlvs(section, advertised, err) && config_to_text(&c, ret, err);
}

bool lldpad_conf_has(const char *conf, const char *port, const struct config *advertised, bool *ret,
		     struct err *err)
{
	_free_ char *is = NULL, *amended = NULL, *desired = NULL;

	if (!lldpad_conf_advertised(conf, port, &is, err) ||
	    !lldpad_conf_amend(conf, port, advertised, &amended, err) ||
	    !lldpad_conf_advertised(amended, port, &desired, err))
		return false;
	*ret = strcmp(is, desired) == 0;
	return true;
}
