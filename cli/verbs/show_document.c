#include "show_document.h"

#include <string.h>

#include "../../agent/engine/journal/lost_settings.h"
#include "../../agent/host/cleanup.h"
#include "../../dcb/capabilities.h"
#include "../../dcb/owner/dcbx_owner.h"
#include "../../policy/document/config_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../captured/captured_device.h"
#include "../captured/captured_host.h"
#include "../output/report_json.h"
#include "../output/fold.h"

static void take_captured(const struct captured_host *h, const struct port *p,
			  struct shown_port *ret)
{
	const struct captured_port *from = captured_find(&h->view, p->id.name);
	const json_t *document = captured_host_port(h, p->id.name);

	ret->port = p;
	ret->seen = from->seen;
	ret->capabilities = from->capabilities;
	ret->has_owner = captured_owner(document, &ret->owner);
	captured_gids(document, &ret->gids);
}

static bool read_port(struct cli *c, const struct port *p, struct shown_port *ret, struct err *err)
{
	struct err quiet = { 0 };

	ret->port = p;
	host_cache_begin(c->h);
	ret->has_owner = owner_find(c->h, p, &ret->owner, &quiet);
	if (!observe_for_report(c->h, all_backends.features, p, &ret->seen, err)) {
		host_cache_end(c->h);
		return false;
	}
	ret->capabilities = (struct capabilities){ 0 };
	capabilities_read(c->h, p, &ret->capabilities);
	capabilities_read_upper(c->h, p, &ret->capabilities);
	all_backends.read_rate_object(c->h, p, &ret->capabilities);
	if (!gid_list(c->h, p, &ret->gids, &quiet))
		ret->gids.count = 0;
	lost_settings_reveal(c->h, p, &ret->seen);
	return observe_end(c->h, p, err);
}

bool show_read_port(struct cli *c, const struct port *p, struct shown_port *ret, struct err *err)
{
	if (!c->captured)
		return read_port(c, p, ret, err);
	take_captured(c->captured, p, ret);
	return true;
}

static json_t *gids_to_json(const struct gid_list *gids)
{
	json_t *list = json_array();

	for (size_t i = 0; i < gids->count; i++)
		json_array_append_new(list,
				      json_pack("{s:i, s:s, s:s}", "index",
						(int)gids->gids[i].index, "gid", gids->gids[i].text,
						"type", gids->gids[i].type));
	return list;
}

/*
 * Newer adapters may run an algorithm other than DCQCN. The DCQCN parameters then read and write as
 * usual without effect, and the active algorithm cannot be read: only a program that loads one is
 * certain.
 */
static const char *congestion_control(const struct shown_port *s)
{
	if (s->capabilities.congestion_program[0])
		return "programmable";
	return s->seen.actual.has & SETTING(SETTING_CNP_DSCP) ? "dcqcn_unverified" : NULL;
}

static json_t *number_or_null(uint32_t n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *device_to_json(const struct shown_port *s)
{
	const struct owner *o = s->has_owner ? &s->owner : NULL;
	const struct port *p = s->port;
	json_t *device = report_device(p);

	json_object_set_new(device, "fec",
			    setting_to_json(&settings[SETTING_LINK_FEC], &s->seen.actual));
	json_object_set_new(device, "rdma_port", number_or_null(p->rdma_port));
	json_object_set_new(device, "eswitch_mode",
			    json_string(eswitch_mode_name(p->eswitch_mode)));
	json_object_set_new(device, "lag", json_boolean(p->in_lag));
	json_object_set_new(device, "bluefield", json_boolean(p->is_bluefield));
	json_object_set_new(device, "connectx4", json_boolean(p->is_connectx4));
	json_object_set_new(device, "vf", json_boolean(p->is_vf));
	json_object_set_new(device, "interface", json_boolean(!p->no_interface));
	json_object_update_new(device,
			       json_pack("{s:s?, s:s?, s:o, s:o}", "congestion_control",
					 congestion_control(s), "dcbx_owner",
					 o ? owner_name(o->who) : NULL, "dcbx_owner_detail",
					 o && o->what[0] ? json_from_text(o->what) : json_null(),
					 "dcbx_firmware_too",
					 o ? json_boolean(o->firmware_too) : json_null()));
	json_object_set_new(device, "gids", gids_to_json(&s->gids));
	return device;
}

/* Other drivers than mlx5 have one maker, and no formula for buffers. */
static json_t *maker_to_json(const struct port *p, enum driver_maker maker)
{
	static const char *const names[] = {
		[MAKER_UNKNOWN] = NULL,
		[MAKER_KERNEL] = "kernel",
		[MAKER_NVIDIA] = "nvidia",
	};
	const char *name = strcmp(p->id.driver, "mlx5_core") == 0 ? names[maker] : NULL;

	return name ? json_string(name) : json_null();
}

/* The limits that lints judge a configuration by (struct capabilities). */
static json_t *capabilities_to_json(const struct port *p, const struct capabilities *f)
{
	json_t *j =
		json_pack("{s:o, s:o, s:o, s:o, s:o}", "min_mtu", number_or_null(f->min_mtu),
			  "max_mtu", number_or_null(f->max_mtu), "traffic_classes",
			  number_or_null(f->traffic_classes), "pfc_cap", number_or_null(f->pfc_cap),
			  "buffer_bytes", number_or_null(f->buffer_bytes));

	json_object_set_new(j, "credit_based_shaper",
			    f->traffic_classes ? json_boolean(f->types) : json_null());
	json_object_set_new(j, "upper", json_text_or_null(f->upper));
	json_object_set_new(j, "upper_mtu", number_or_null(f->upper_mtu));
	json_object_set_new(j, "largest_upper", json_text_or_null(f->largest_upper));
	json_object_set_new(j, "largest_upper_mtu", number_or_null(f->largest_upper_mtu));
	json_object_set_new(j, "driver_maker", maker_to_json(p, f->maker));
	json_object_set_new(j, "lldpad_running", json_boolean(f->lldpad_running));
	json_object_set_new(j, "lldpad_starts_at_boot", json_boolean(f->lldpad_starts_at_boot));
	json_object_set_new(j, "rate_object", json_text_or_null(f->rate_object));
	json_object_set_new(j, "slow_kernel", json_text_or_null(f->slow_kernel));
	json_object_set_new(j, "congestion_program", json_text_or_null(f->congestion_program));
	return j;
}

static const char *status_of(const struct observation *seen, setting_set one)
{
	return seen->elsewhere & one	 ? "on_another_port"
	       : seen->not_asked & one	 ? "not_queried"
	       : seen->unsupported & one ? "unsupported"
	       : seen->missing & one	 ? "missing"
					 : "unknown";
}

static json_t *unavailable_to_json(const struct observation *seen)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const struct reason *r = observation_reason(seen, i);

		if (!r || (seen->actual.has & SETTING(i)))
			continue;
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o*, s:s}", "setting",
						      settings[i].path, "status",
						      status_of(seen, SETTING(i)), "message",
						      json_from_text(r->text), "fix",
						      r->fix[0] ? json_from_text(r->fix) : NULL,
						      "kernel_interface", r->from->source));
	}
	return list;
}

static json_t *features_to_json(const struct observation *seen)
{
	json_t *list = json_array();

	for (size_t i = 0; i < seen->active_count; i++) {
		json_t *feature = json_object();

		json_object_set_new_nocheck(feature, "feature",
					    json_string_nocheck(seen->active[i]->name));
		json_object_set_new_nocheck(feature, "kernel_interface",
					    json_string_nocheck(seen->active[i]->source));
		json_array_append_new(list, feature);
	}
	return list;
}

static bool same_features(const struct observation *a, const struct observation *b)
{
	return a->active_count == b->active_count &&
	       memcmp(a->active, b->active, a->active_count * sizeof(*a->active)) == 0;
}

static json_t *port_to_json(const struct shown_port *s, json_t *features)
{
	struct config compact = dscp_compact(&s->seen.actual, REST_KEEP);

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "port", s->port->id.name, "device",
			 device_to_json(s), "config", config_to_json(&compact, SETUP_SETTINGS),
			 "features", features, "unavailable_settings",
			 unavailable_to_json(&s->seen), "capabilities",
			 capabilities_to_json(s->port, &s->capabilities));
}

/* Ports in a row that have the same features share one list, which is longer than all settings. */
static json_t *ports_to_json(const struct shown_port *shown, size_t count)
{
	json_t *list = json_array(), *features = NULL;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && same_features(&shown[i - 1].seen, &shown[i].seen))
			json_incref(features);
		else
			features = features_to_json(&shown[i].seen);
		json_array_append_new(list, port_to_json(&shown[i], features));
	}
	return list;
}

static json_t *others_to_json(const struct inventory *inv)
{
	json_t *list = json_array();

	for (size_t i = 0; i < inv->others_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:s}", "name", inv->others[i].name,
						      "message", inv->others[i].why));
	return list;
}

struct setup *shown_setups(const struct inventory *inv, const struct shown_port *shown)
{
	struct setup *setups = oom_calloc(inv->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < inv->count; i++)
		setups[i] = (struct setup){ .port = inv->ports[i].id.name,
					    .actual = &shown[i].seen.actual,
					    .elsewhere = observation_elsewhere(&shown[i].seen,
									       &inv->ports[i]) };
	return setups;
}

json_t *show_to_json(const struct cli *c, const struct inventory *inv,
		     const struct shown_port *shown, struct err *err)
{
	_free_ struct setup *setups = shown_setups(inv, shown);
	size_t count = setups ? inv->count : 0; /* out of memory: nothing is printed */
	json_t *facts, *doc;

	if (!host_facts_to_json(c, inv, &facts, err))
		return NULL;
	doc = report_of_host(c, "show");
	identity_add_state(doc, setups, count);
	json_object_set_new(doc, "platform", facts);
	json_object_set_new(doc, "ports", ports_to_json(shown, inv->count));
	json_object_set_new(doc, "port_differences", port_differences_to_json(setups, count));
	json_object_set_new(doc, "ignored_interfaces", others_to_json(inv));
	return doc;
}
