#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "../policy/util/fix_text.h"
#include "../policy/util/sanitize.h"
#include "registry.h"

/* True if the name can be written in a policy and the journal; the kernel accepts any bytes. */
static bool is_text(const char *name)
{
	while (sanitize_harmless_length(name))
		name += sanitize_harmless_length(name);
	return !*name;
}

static bool vlan_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct vlan_list list;
	struct config now = { 0 };

	if (!host_vlans(h, port->ifindex, &list, err))
		return false;
	if (list.more)
		return err_set(err, ERR_UNKNOWN, E2BIG, "the port has more than %d VLAN devices",
			       VLANS_MAX);
	for (size_t i = 0; i < list.count; i++)
		if (!is_text(list.vlans[i].map.name))
			return err_set(err, ERR_UNKNOWN, EILSEQ,
				       "a VLAN device has a name that is not text");
	for (size_t i = 0; i < list.count; i++)
		vlan_egress_put(&now, &list.vlans[i].map);

	out->vlan = now.vlan;
	out->has |= feature_vlan.owns;
	return true;
}

static const struct vlan_egress *find_egress(const struct config *c, const char *name)
{
	for (size_t i = 0; i < VLANS_MAX; i++)
		if (strcmp(c->vlan.egress[i].name, name) == 0)
			return &c->vlan.egress[i];
	return NULL;
}

static bool vlan_accepts(const struct port *port, const struct capabilities *capabilities,
			 const struct config *from, const struct config *to, struct err *err)
{
	char below[SHELL_NAME_MAX], name[SHELL_NAME_MAX];

	(void)capabilities;
	for (size_t i = 0; i < VLANS_MAX && to->vlan.egress[i].name[0]; i++) {
		if (find_egress(from, to->vlan.egress[i].name))
			continue;
		err_record(err, ERR_GONE, ENODEV, "the port has no VLAN device %s",
			   to->vlan.egress[i].name);
		if (port->id.bond[0])
			return err_fix(
				err,
				"remove vlan.egress: it has no VLAN devices of %s, whose maps "
				"ip link sets (egress-qos-map)",
				port->id.bond);
		return err_fix(err, "run `ip link add link %s name %s type vlan id ID` first",
			       shell_word(port->id.name, below, sizeof(below)),
			       shell_word(to->vlan.egress[i].name, name, sizeof(name)));
	}
	return true;
}

static bool write_map(struct host *h, const struct vlan *v, const struct vlan_egress *to,
		      struct err *err)
{
	for (uint8_t p = 0; p < PRIOS; p++)
		if (v->map.pcp[p] != to->pcp[p] &&
		    !host_set_egress(h, v->ifindex, p, to->pcp[p], err))
			return false;
	return true;
}

static bool vlan_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	struct vlan_list list;

	(void)from;
	if (!host_vlans(h, port->ifindex, &list, err))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		const struct vlan_egress *wanted = find_egress(to, list.vlans[i].map.name);

		if (wanted && !write_map(h, &list.vlans[i], wanted, err))
			return false;
	}
	return true;
}

const struct feature feature_vlan = {
	.name = "vlan",
	.owns = SETTING(SETTING_VLAN_EGRESS),
	.source = "rtnetlink VLAN egress map",
	.read = vlan_read,
	.write = vlan_write,
	.accepts = vlan_accepts,
};
