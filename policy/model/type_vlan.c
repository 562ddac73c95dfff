/*
 * The egress maps of a port's VLAN devices: an object {DEVICE: {PRIORITY: PCP}} in JSON, a list
 * sorted by name internally. Devices that are not named are neither compared nor written.
 * Priorities that a named device's map omits get PCP 0, as in the kernel.
 */
#include "setting.h"

#include <stdio.h>
#include <string.h>

#include "../util/keys.h"
#include "../util/sanitize.h"
#include "type.h"

static struct vlan_egress *vlan_find(struct config *c, const char *name)
{
	for (size_t i = 0; i < VLANS_MAX; i++)
		if (strcmp(c->vlan.egress[i].name, name) == 0)
			return &c->vlan.egress[i];
	return NULL;
}

static const struct vlan_egress *vlan_find_const(const struct config *c, const char *name)
{
	return vlan_find((struct config *)c, name);
}

static size_t vlan_count(const struct config *c)
{
	size_t n = 0;

	while (n < VLANS_MAX && c->vlan.egress[n].name[0])
		n++;
	return n;
}

bool vlan_egress_put(struct config *c, const struct vlan_egress *v)
{
	struct vlan_egress *list = c->vlan.egress, *there = vlan_find(c, v->name);
	size_t n = vlan_count(c), at = 0;

	if (there) {
		*there = *v;
		return true;
	}
	if (n == VLANS_MAX)
		return false;
	while (at < n && strcmp(list[at].name, v->name) < 0)
		at++;
	memmove(&list[at + 1], &list[at], (n - at) * sizeof(*list));
	list[at] = *v;
	return true;
}

static bool pcp_from_json(struct vlan_egress *v, const json_t *item, const struct json_path *at,
			  struct err *err)
{
	unsigned prio;
	int64_t pcp;

	if (!json_number_of_key(at->key, PRIOS, &prio))
		return err_expected_key(err, at, "a priority, 0 to 7");
	if (!number_from_json(item, 0, PRIOS - 1, &pcp, at, err))
		return false;
	v->pcp[prio] = (uint8_t)pcp;
	return true;
}

static bool egress_from_json(struct vlan_egress *v, json_t *j, const struct json_path *at,
			     struct err *err)
{
	json_t *item;
	bool ok = true;

	if (!json_is_object(j))
		return err_expected(err, at, j, "an object of priority: PCP, such as {\"3\": 3}");
	json_member_foreach (j, at, here, item)
		ok = err_part(err, pcp_from_json(v, item, &here, err)) && ok;
	return ok;
}

static bool is_device_name(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n < VLAN_NAME_MAX && !strpbrk(name, "/ :\t\n") && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static bool device_from_json(struct config *c, json_t *item, const struct json_path *at,
			     struct err *err)
{
	struct vlan_egress v = { .name = "" };

	if (!is_device_name(at->key))
		return err_expected_key(err, at, "the name of a device");
	snprintf(v.name, sizeof(v.name), "%s", at->key);
	if (!egress_from_json(&v, item, at, err))
		return false;
	return vlan_egress_put(c, &v) ||
	       err_policy(err, at, "more than %d VLAN devices", VLANS_MAX);
}

static bool vlan_map_from_json(const struct setting *k, struct config *c, json_t *j,
			       const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_is_object(j))
		return err_expected(err, at, j,
				    "an object of VLAN devices, such as {\"vlan100\": {\"3\": 3}}");
	memset(c->vlan.egress, 0, sizeof(c->vlan.egress));
	json_member_foreach (j, at, here, item)
		ok = err_part(err, device_from_json(c, item, &here, err)) && ok;
	return ok;
}

static json_t *egress_to_json(const struct vlan_egress *v)
{
	json_t *out = json_object();

	for (int p = 0; p < PRIOS; p++) {
		const char key[2] = { (char)('0' + p), '\0' };

		if (v->pcp[p])
			json_object_set_new(out, key, json_integer(v->pcp[p]));
	}
	return out;
}

static json_t *vlan_map_to_json(const struct setting *k, const struct config *c)
{
	json_t *out = json_object();

	(void)k;
	for (size_t i = 0; i < vlan_count(c); i++)
		json_object_set_new(out, c->vlan.egress[i].name,
				    egress_to_json(&c->vlan.egress[i]));
	return out;
}

static json_t *vlan_map_schema(const struct setting *k)
{
	(void)k;
	return json_pack("{s:s, s:i, s:{s:s}, s:{s:s, s:{s:{s:s, s:i, s:i}}, s:b}}", "type",
			 "object", "maxProperties", VLANS_MAX, "propertyNames", "pattern",
			 "^(?!\\.{1,2}$)[^/ :\\t\\n]{1,15}$", "additionalProperties", "type",
			 "object", "patternProperties", "^[0-7]$", "type", "integer", "minimum", 0,
			 "maximum", PRIOS - 1, "additionalProperties", 0);
}

static void vlan_map_range(const struct setting *k, struct text *out)
{
	(void)k;
	text_add(out,
		 "an object of up to %d VLAN devices, each an object; keys are priorities 0 to 7, "
		 "values PCPs 0 to 7",
		 VLANS_MAX);
}

static void vlan_map_text(const struct setting *k, const struct config *c, struct text *out)
{
	char name[4 * VLAN_NAME_MAX];

	(void)k;
	if (!vlan_count(c))
		text_add(out, "none");
	for (size_t i = 0; i < vlan_count(c); i++) {
		const struct vlan_egress *v = &c->vlan.egress[i];
		bool any = false;

		/*
		 * The kernel accepts any name that can be a file name, control characters included.
		 */
		text_add(out, "%s%s", i ? "; " : "", sanitize_text(v->name, name, sizeof(name)));
		for (int p = 0; p < PRIOS; p++) {
			if (v->pcp[p])
				text_add(out, " %d:%d", p, v->pcp[p]);
			any = any || v->pcp[p];
		}
		text_add(out, "%s", any ? "" : " all 0");
	}
}

static bool vlan_map_equal(const struct setting *k, const struct config *desired,
			   const struct config *actual)
{
	(void)k;
	for (size_t i = 0; i < vlan_count(desired); i++) {
		const struct vlan_egress *w = &desired->vlan.egress[i],
					 *h = vlan_find_const(actual, w->name);

		if (!h || memcmp(w->pcp, h->pcp, sizeof(w->pcp)) != 0)
			return false;
	}
	return true;
}

/*
 * Devices missing from the port stay in the list, so that they show as drift; this stops only when
 * the list is full.
 */
static void vlan_map_overlay(const struct setting *k, struct config *to, const struct config *from)
{
	(void)k;
	for (size_t i = 0; i < vlan_count(from); i++)
		if (!vlan_egress_put(to, &from->vlan.egress[i]))
			return;
}

static void vlan_drop(struct config *c, const char *name)
{
	struct vlan_egress *list = c->vlan.egress, *v = vlan_find(c, name);
	size_t n = vlan_count(c);

	if (!v)
		return;
	memmove(v, v + 1, (size_t)(list + n - (v + 1)) * sizeof(*v));
	list[n - 1] = (struct vlan_egress){ .name = "" };
}

/* A device of another VLAN may have the name by now. */
static bool is_same_device(const struct vlan_egress *was, const struct vlan_egress *now)
{
	return now && (!was->id || !now->id || was->id == now->id);
}

/*
 * The device that has the map now: it may be renamed. Not if two have its VLAN ID, of 802.1Q and of
 * 802.1ad, or if `all` has a map of the other name.
 */
static const struct vlan_egress *vlan_now(const struct vlan_egress *was, const struct config *all,
					  const struct config *actual)
{
	const struct vlan_egress *same = vlan_find_const(actual, was->name), *other = NULL;

	if (is_same_device(was, same))
		return same;
	for (size_t i = 0; was->id && i < vlan_count(actual); i++) {
		if (actual->vlan.egress[i].id != was->id)
			continue;
		if (other || vlan_find_const(all, actual->vlan.egress[i].name))
			return NULL;
		other = &actual->vlan.egress[i];
	}
	return other;
}

size_t vlan_egress_follow(struct config *c, const struct config *actual,
			  char gone[VLANS_MAX][VLAN_NAME_MAX])
{
	struct config all = *c;
	size_t n = 0;

	if (!(c->has & actual->has & SETTING(SETTING_VLAN_EGRESS)))
		return 0;
	memset(&c->vlan, 0, sizeof(c->vlan));
	for (size_t i = 0; i < vlan_count(&all); i++) {
		struct vlan_egress v = all.vlan.egress[i];
		const struct vlan_egress *now = vlan_now(&v, &all, actual);

		if (!now) {
			snprintf(gone[n++], VLAN_NAME_MAX, "%s", v.name);
			continue;
		}
		snprintf(v.name, sizeof(v.name), "%s", now->name);
		(void)!vlan_egress_put(c, &v); /* not more than there were */
	}
	if (n && !vlan_count(c))
		c->has &= ~SETTING(SETTING_VLAN_EGRESS);
	return n;
}

static void vlan_map_drop_equal(const struct setting *k, struct config *a, struct config *b)
{
	struct config both = *a;

	(void)k;
	for (size_t i = 0; i < vlan_count(&both); i++) {
		const struct vlan_egress *v = &both.vlan.egress[i],
					 *other = vlan_find_const(b, v->name);

		if (other && memcmp(other->pcp, v->pcp, sizeof(v->pcp)) == 0) {
			vlan_drop(a, v->name);
			vlan_drop(b, v->name);
		}
	}
}

const struct type_ops type_vlan_map = {
	.from_json = vlan_map_from_json,
	.to_json = vlan_map_to_json,
	.schema = vlan_map_schema,
	.range = vlan_map_range,
	.text = vlan_map_text,
	.equal = vlan_map_equal,
	.overlay = vlan_map_overlay,
	.drop_equal = vlan_map_drop_equal,
};
