#include "captured_host.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"

bool captured_owner(const json_t *port, struct owner *ret)
{
	const json_t *device = json_object_get(port, "device");
	const char *name = json_text(device, "dcbx_owner");

	*ret = (struct owner){ .firmware_too =
				       json_is_true(json_object_get(device, "dcbx_firmware_too")) };
	snprintf(ret->what, sizeof(ret->what), "%s", json_text(device, "dcbx_owner_detail"));
	for (; ret->who <= OWNER_NETWORKMANAGER; ret->who++)
		if (strcmp(owner_name(ret->who), name) == 0)
			return true;
	ret->who = OWNER_NOBODY;
	return false;
}

static bool read_gid(const json_t *entry, struct gid *ret)
{
	const char *text = json_text(entry, "gid"), *type = json_text(entry, "type");
	json_int_t index = json_integer_value(json_object_get(entry, "index"));

	if (!json_is_integer(json_object_get(entry, "index")) || index < 0 || index >= GIDS_MAX ||
	    strlen(text) >= sizeof(ret->text) || strlen(type) >= sizeof(ret->type))
		return false;
	ret->index = (unsigned)index;
	snprintf(ret->text, sizeof(ret->text), "%s", text);
	snprintf(ret->type, sizeof(ret->type), "%s", type);
	return true;
}

void captured_gids(const json_t *port, struct gid_list *ret)
{
	const json_t *list = json_object_get(json_object_get(port, "device"), "gids"), *entry;
	size_t i;

	ret->count = 0;
	json_array_foreach (list, i, entry)
		if (ret->count < GIDS_MAX && read_gid(entry, &ret->gids[ret->count]))
			ret->count++;
}

/* ---- plain members: of documents that are written, and of those that are read ---- */

/* OTHER is not in the struct. */
struct member {
	const char *key;
	enum { STRING, BOOLEAN, NUMBER, MODE, NAMES, CLASSES, VF_VLANS, OTHER } type;
	size_t offset, size;
};

#define VLAN_IDS       4095 /* 802.1Q reserves this one */
#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

#define MEMBER(key, type, of, field) \
	{ \
		key, type, offsetof(struct of, field), sizeof(((struct of *)0)->field) \
	}

static const struct member device_members[] = {
	MEMBER("driver", STRING, port, id.driver),
	MEMBER("pci", STRING, port, id.pci),
	MEMBER("firmware", STRING, port, firmware),
	MEMBER("rdma", STRING, port, id.rdma),
	MEMBER("mac", STRING, port, id.mac),
	MEMBER("bond", STRING, port, id.bond),
	MEMBER("alt_names", NAMES, port, id.alt_names),
	MEMBER("bond_alt_names", NAMES, port, id.bond_alt_names),
	MEMBER("carrier", BOOLEAN, port, carrier),
	MEMBER("speed_mbps", NUMBER, port, speed_mbps),
	MEMBER("best_speed_mbps", NUMBER, port, best_speed_mbps),
	MEMBER("admin_up", BOOLEAN, port, up),
	{ "fec", OTHER, 0, 0 },
	MEMBER("rdma_port", NUMBER, port, rdma_port),
	MEMBER("eswitch_mode", MODE, port, eswitch_mode),
	MEMBER("lag", BOOLEAN, port, in_lag),
	MEMBER("bluefield", BOOLEAN, port, is_bluefield),
	MEMBER("connectx4", BOOLEAN, port, is_connectx4),
	MEMBER("vf", BOOLEAN, port, is_vf),
};

static const struct member limit_members[] = {
	MEMBER("min_mtu", NUMBER, capabilities, min_mtu),
	MEMBER("max_mtu", NUMBER, capabilities, max_mtu),
	MEMBER("traffic_classes", NUMBER, capabilities, traffic_classes),
	MEMBER("pfc_cap", NUMBER, capabilities, pfc_cap),
	MEMBER("buffer_bytes", NUMBER, capabilities, buffer_bytes),
	MEMBER("cell_bytes", NUMBER, capabilities, cell_bytes),
	MEMBER("credit_based_shaper", BOOLEAN, capabilities, types),
	MEMBER("upper", STRING, capabilities, upper),
	MEMBER("upper_mtu", NUMBER, capabilities, upper_mtu),
	MEMBER("largest_upper", STRING, capabilities, largest_upper),
	MEMBER("largest_upper_mtu", NUMBER, capabilities, largest_upper_mtu),
	{ "driver_maker", OTHER, 0, 0 },
	MEMBER("lldpad_running", BOOLEAN, capabilities, lldpad_running),
	MEMBER("lldpad_starts_at_boot", BOOLEAN, capabilities, lldpad_starts_at_boot),
	MEMBER("rate_object", STRING, capabilities, rate_object),
	MEMBER("slow_kernel", STRING, capabilities, slow_kernel),
	MEMBER("congestion_program", STRING, capabilities, congestion_program),
	MEMBER("mqprio", CLASSES, capabilities, mqprio),
	MEMBER("vf_vlans", VF_VLANS, capabilities, vf_vlans),
};

static json_t *vf_vlans_to_json(const struct vf_vlan by_qos[PRIOS])
{
	json_t *list = json_array();

	for (int p = 0; p < PRIOS; p++)
		if (by_qos[p].vlan)
			json_array_append_new(list, json_pack("{s:i, s:i, s:i}", "vf", by_qos[p].vf,
							      "vlan", by_qos[p].vlan, "qos", p));
	return list;
}

static bool vf_vlan_from_json(const json_t *one, struct vf_vlan by_qos[PRIOS])
{
	int vf, vlan, qos;

	if (json_unpack((json_t *)one, "{s:i, s:i, s:i}", "vf", &vf, "vlan", &vlan, "qos", &qos) ||
	    vf < 0 || vf > UINT16_MAX || vlan <= 0 || vlan >= VLAN_IDS || qos < 0 || qos >= PRIOS)
		return false;
	by_qos[qos] = (struct vf_vlan){ (uint16_t)vf, (uint16_t)vlan };
	return true;
}

static bool vf_vlans_from_json(const json_t *list, struct vf_vlan by_qos[PRIOS])
{
	bool ok = json_is_array(list);

	for (size_t i = 0; ok && i < json_array_size(list); i++)
		ok = vf_vlan_from_json(json_array_get(list, i), by_qos);
	return ok;
}

static json_t *member_to_json(const struct member *m, const void *base)
{
	const void *from = (const char *)base + m->offset;
	uint32_t number;

	switch (m->type) {
	case STRING:
		return json_text_or_null(from);
	case BOOLEAN:
		return json_boolean(*(const bool *)from);
	case NUMBER:
		number = m->size == 1 ? *(const uint8_t *)from : *(const uint32_t *)from;
		return number ? json_integer(number) : json_null();
	case MODE:
		return json_string(eswitch_mode_name(*(const enum eswitch_mode *)from));
	case NAMES:
		return alt_names_to_json(from);
	case CLASSES:
		return mqprio_to_json(from);
	case VF_VLANS:
		return vf_vlans_to_json(from);
	case OTHER:
		break;
	}
	return json_null();
}

static json_t *members_to_json(const struct member *list, size_t count, const void *base)
{
	json_t *object = json_object();

	for (size_t i = 0; i < count; i++)
		json_object_set_new(object, list[i].key, member_to_json(&list[i], base));
	return object;
}

json_t *captured_device_to_json(const struct port *p)
{
	return members_to_json(device_members, COUNT_OF(device_members), p);
}

json_t *captured_limits_to_json(const struct capabilities *c)
{
	return members_to_json(limit_members, COUNT_OF(limit_members), c);
}

static bool fits_number(const json_t *value, size_t size)
{
	json_int_t n = json_integer_value(value);

	return json_is_integer(value) && n >= 0 && n <= (size == 1 ? UINT8_MAX : UINT32_MAX);
}

static void store_number(void *to, size_t size, json_int_t n)
{
	if (size == 1)
		*(uint8_t *)to = (uint8_t)n;
	else
		*(uint32_t *)to = (uint32_t)n;
}

static bool find_mode(const json_t *value, enum eswitch_mode *ret)
{
	for (enum eswitch_mode m = 0; json_is_string(value) && m < ESWITCH_MODES; m++)
		if (strcmp(json_string_value(value), eswitch_mode_name(m)) == 0) {
			*ret = m;
			return true;
		}
	return false;
}

/* Null means unknown, or that there is none: the member stays zero. */
static bool read_member(const json_t *value, const struct member *m, void *base,
			const struct json_path *at, struct err *err)
{
	static const char *const expected[] = {
		[STRING] = "a text as a port has it",
		[BOOLEAN] = "true or false",
		[NUMBER] = "a number that a port can have",
		[MODE] = "none, legacy, switchdev or unknown",
		[NAMES] = "a list of names",
		[CLASSES] = "the classes of 8 priorities",
		[VF_VLANS] = "a list of objects of \"vf\", \"vlan\" and \"qos\"",
	};
	const struct json_path here = { at, m->key, 0 };
	char *to = (char *)base + m->offset;

	if (!value || json_is_null(value) || m->type == OTHER)
		return true;
	if (m->type == NAMES)
		return alt_names_from_json((struct alt_names *)to, value, &here, err);
	if (m->type == BOOLEAN && json_is_boolean(value))
		*(bool *)to = json_is_true(value);
	else if (m->type == NUMBER && fits_number(value, m->size))
		store_number(to, m->size, json_integer_value(value));
	else if (m->type == STRING && json_is_string(value) && json_string_length(value) < m->size)
		memcpy(to, json_string_value(value), json_string_length(value) + 1);
	else if ((m->type != MODE || !find_mode(value, (enum eswitch_mode *)to)) &&
		 (m->type != CLASSES || !mqprio_from_json(value, (struct mqprio *)to)) &&
		 (m->type != VF_VLANS || !vf_vlans_from_json(value, (struct vf_vlan *)to)))
		return err_expected(err, &here, value, "%s", expected[m->type]);
	return true;
}

static bool read_members(const json_t *object, const struct member *list, size_t count, void *base,
			 const struct json_path *at, struct err *err)
{
	if (!json_is_object(object))
		return err_expected(err, at, object, "an object");
	for (size_t i = 0; i < count; i++)
		if (!read_member(json_object_get(object, list[i].key), &list[i], base, at, err))
			return false;
	return true;
}

/* ---- device and limits ---- */

static bool read_device(const json_t *device, const struct json_path *port_at, struct port *ret,
			struct err *err)
{
	const struct json_path at = { port_at, "device", 0 };

	if (!read_members(device, device_members, COUNT_OF(device_members), ret, &at, err))
		return false;
	snprintf(ret->id.firmware, sizeof(ret->id.firmware), "%s", ret->firmware);
	ret->id.speed_mbps = ret->carrier ? ret->speed_mbps : ret->best_speed_mbps;
	ret->no_interface = json_is_false(json_object_get(device, "interface"));
	if (ret->id.rdma[0] && !json_object_get(device, "rdma_port"))
		ret->rdma_port =
			1; /* An earlier version does not name it: each function has one. */
	return true;
}

static bool read_limits(const json_t *limits, const struct json_path *port_at,
			struct captured_port *ret, struct err *err)
{
	const struct json_path at = { port_at, "capabilities", 0 };
	const char *maker = json_string_value(json_object_get(limits, "driver_maker"));
	bool is_known = maker || strcmp(ret->port.id.driver, "mlx5_core") != 0;

	if (!read_members(limits, limit_members, COUNT_OF(limit_members), &ret->capabilities, &at,
			  err))
		return false;
	ret->capabilities.speed_mbps = ret->port.speed_mbps;
	ret->capabilities.maker = maker && strcmp(maker, "nvidia") == 0 ? MAKER_NVIDIA
				  : is_known				? MAKER_KERNEL
									: MAKER_UNKNOWN;
	return true;
}

/* ---- settings ---- */

/* Back ends of one name differ in their interface. */
static const struct feature *feature_of(struct features all, const json_t *f)
{
	for (size_t i = 0; i < all.count; i++)
		if (strcmp(all.list[i]->name, json_text(f, "feature")) == 0 &&
		    strcmp(all.list[i]->source, json_text(f, "kernel_interface")) == 0)
			return all.list[i];
	return NULL;
}

/* The feature that a setting's reason is from; another of its features if that one is not known. */
static const struct feature *owner_of(struct features all, unsigned setting, const char *source)
{
	const struct feature *any = NULL;

	for (size_t i = 0; i < all.count; i++) {
		if (!(all.list[i]->owns & SETTING(setting)))
			continue;
		any = all.list[i];
		if (strcmp(any->source, source) == 0)
			break;
	}
	return any;
}

/* The link's settings are members of "device". */
static bool read_link(const json_t *device, const struct json_path *at, struct captured_port *ret,
		      struct err *err)
{
	json_t *fec = json_object_get(device, "fec");
	json_auto_t *link = json_pack("{s:{s:O}}", "link", "fec", fec ? fec : json_null());
	struct config *actual = &ret->seen.actual;

	if (json_is_string(fec) && !config_amend_observed(actual, link, at, err))
		return false;
	actual->link.up = ret->port.up && ret->port.carrier;
	actual->link.min_speed_mbps = ret->port.speed_mbps;
	actual->has |= SETTING(SETTING_LINK_UP) |
		       (ret->port.speed_mbps ? SETTING(SETTING_LINK_MIN_SPEED_MBPS) : 0);
	return true;
}

static bool read_config(json_t *port, const struct json_path *port_at, struct captured_port *ret,
			struct err *err)
{
	const struct json_path at = { port_at, "config", 0 }, device_at = { port_at, "device", 0 };
	const json_t *config = json_object_get(port, "config");
	struct config *actual = &ret->seen.actual;

	if (!json_is_object(config))
		return err_expected(err, &at, config, "an object");
	if (!config_amend_observed(actual, config, &at, err))
		return false;
	dscp_restore(actual);
	if (!read_link(json_object_get(port, "device"), &device_at, ret, err))
		return false;
	ret->port.mtu = actual->mtu;
	return true;
}

static const struct {
	const char *name;
	enum err_kind kind;
} statuses[] = {
	{ "unknown", ERR_UNKNOWN },
	{ "unsupported", ERR_UNSUPPORTED },
	{ "on_another_port", ERR_UNSUPPORTED },
	{ "not_queried", ERR_UNSUPPORTED },
	{ "missing", ERR_MISSING },
};

/* A status of a later version counts as unknown. */
static enum err_kind kind_of(const char *status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (strcmp(statuses[i].name, status) == 0)
			return statuses[i].kind;
	return ERR_UNKNOWN;
}

static void add_reason(struct observation *o, setting_set of, const char *status,
		       const struct reason *r)
{
	if (o->reasons_count == sizeof(o->reasons) / sizeof(o->reasons[0]))
		return;
	o->reasons[o->reasons_count++] = *r;
	o->actual.has &= ~of;
	if (r->kind == ERR_UNSUPPORTED)
		o->unsupported |= of;
	else if (r->kind == ERR_MISSING)
		o->missing |= of;
	else
		o->unknown |= of;
	if (strcmp(status, "on_another_port") == 0)
		o->elsewhere |= of;
	if (strcmp(status, "not_queried") == 0)
		o->not_asked |= of;
}

static void read_unavailable(const json_t *list, struct features all, struct observation *o)
{
	const json_t *entry;
	size_t i;

	json_array_foreach (list, i, entry) {
		const struct setting *k = setting_find(json_text(entry, "setting"));
		unsigned setting = k ? (unsigned)(k - settings) : 0;
		struct reason r = { .kind = kind_of(json_text(entry, "status")) };

		if (!k)
			continue;
		r.of = SETTING(setting);
		r.from = owner_of(all, setting, json_text(entry, "kernel_interface"));
		snprintf(r.text, sizeof(r.text), "%s", json_text(entry, "message"));
		snprintf(r.fix, sizeof(r.fix), "%s", json_text(entry, "fix"));
		add_reason(o, r.of, json_text(entry, "status"), &r);
	}
}

/* A document of an earlier version does not name its back ends: any that has the settings did it.
 */
static void infer_features(struct features all, struct observation *o)
{
	setting_set left = o->actual.has;

	for (size_t i = 0; i < all.count && o->active_count < FEATURES_MAX; i++) {
		if (!(all.list[i]->owns & left))
			continue;
		o->active[o->active_count++] = all.list[i];
		left &= ~all.list[i]->owns;
	}
}

static void read_features(const json_t *list, struct features all, struct observation *o)
{
	const json_t *entry;
	size_t i;

	if (!list)
		infer_features(all, o);
	json_array_foreach (list, i, entry) {
		const struct feature *f = feature_of(all, entry);

		if (f && o->active_count < FEATURES_MAX)
			o->active[o->active_count++] = f;
	}
}

bool captured_port_from_json(json_t *port, struct features all, const struct json_path *at,
			     struct captured_port *ret, struct err *err)
{
	struct gid_list gids;

	if (!json_is_object(port) || !json_object_get(port, "port"))
		return err_expected(err, at, port, "an object with \"port\" and \"config\"");
	if (!json_read_string(port, "port", ret->port.id.name, sizeof(ret->port.id.name), at,
			      err) ||
	    !read_device(json_object_get(port, "device"), at, &ret->port, err) ||
	    !read_limits(json_object_get(port, "capabilities"), at, ret, err) ||
	    !read_config(port, at, ret, err))
		return false;
	read_features(json_object_get(port, "features"), all, &ret->seen);
	read_unavailable(json_object_get(port, "unavailable_settings"), all, &ret->seen);
	(void)captured_owner(port, &ret->owner);
	captured_gids(port, &gids);
	ret->gids = gid_list_v2(&gids);
	return true;
}
