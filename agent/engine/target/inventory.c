#include "inventory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/document/match.h"
#include "../../../policy/util/fix_text.h"
#include "../../../policy/util/oom.h"
#include "../../host/pci_functions.h"

void inventory_free(struct inventory *i)
{
	free(i->ports);
	free(i->others);
	*i = (struct inventory){ .ports = NULL };
}

static void lower(char *text)
{
	for (; *text; text++)
		*text = (char)tolower((unsigned char)*text);
}

/* In a virtual machine there is no PF to find, and the PCI id tells. */
static void find_kind(struct host *h, struct port *p)
{
	char device[PATH_TEXT_MAX], text[64];
	const struct pci_device *known;
	struct err quiet = { 0 };

	snprintf(device, sizeof(device), "/sys/class/%s/%s/device",
		 p->no_interface ? "infiniband" : "net", p->id.name);
	known = pci_device_of(h, device);
	p->is_vf = (known && known->is_vf) ||
		   host_read_file(h, text, sizeof(text), &quiet, "%s/physfn/vendor", device) ||
		   host_read_file(h, text, sizeof(text), &quiet, "%s/sfnum", device);
	p->is_bluefield = known && known->is_bluefield;
	p->is_connectx4 = known && known->is_connectx4;
}

/* A bond gives its members one address. NetworkManager's profiles name their own. */
static void find_mac(struct host *h, const struct link *l, struct identity *id)
{
	struct err quiet = { 0 };
	char own[ID_MAX];
	bool has_own = id->bond[0] &&
		       host_read_file(h, own, sizeof(own), &quiet,
				      "/sys/class/net/%s/bonding_slave/perm_hwaddr", id->name);

	snprintf(id->mac, sizeof(id->mac), "%s", has_own ? own : l->mac);
	lower(id->mac);
}

/*
 * Fills in all but the RDMA device. False if the netdev has no device of its own (a VLAN, a
 * bridge).
 */
static bool describe(const struct engine *e, const struct link_list *links, const struct link *l,
		     struct port *p)
{
	*p = (struct port){
		.ifindex = l->ifindex,
		.mtu = l->mtu,
		.up = l->up,
		.carrier = l->carrier,
	};
	memcpy(p->switch_id, l->switch_id, sizeof(p->switch_id));
	link_identify(links, l, &p->id);
	if (!e->backends->ports.describe(e->h, p))
		return false;
	find_mac(e->h, l, &p->id);
	find_kind(e->h, p);
	return true;
}

static bool share_pci_device(const struct port *a, const struct port *b)
{
	const char *dot = strrchr(a->id.pci, '.');

	return dot && strncmp(a->id.pci, b->id.pci, (size_t)(dot - a->id.pci) + 1) == 0;
}

/* True for both PCI devices of a Socket Direct card: mlx5_same_hw_devs() compares the same GUID. */
static bool share_switch(const struct port *a, const struct port *b)
{
	static const uint8_t none[SWITCH_ID_MAX];

	return memcmp(a->switch_id, b->switch_id, sizeof(none)) == 0 &&
	       memcmp(a->switch_id, none, sizeof(none)) != 0;
}

/* Captured ports have no switch ID: those in a LAG share an adapter. */
static bool share_adapter(const struct port *a, const struct port *b)
{
	return share_pci_device(a, b) || share_switch(a, b) || (a->in_lag && b->in_lag);
}

/* The devices of one adapter's ports merge in a LAG; those of two adapters never do. */
static void relate_members(struct port *p, struct port *other)
{
	if (!share_adapter(p, other)) {
		if (p->rdma_port)
			p->no_lag = LAG_OF_SEVERAL_ADAPTERS;
	} else if (!p->rdma_port && other->rdma_port) {
		p->shares_rdma = p->in_lag = other->in_lag = true;
		memcpy(p->id.bond_rdma, other->id.rdma, sizeof(p->id.bond_rdma));
	} else if (p->rdma_port && other->rdma_port && !p->no_lag) {
		p->no_lag = LAG_DID_NOT_MERGE;
	}
}

static bool share_function(const struct port *a, const struct port *b)
{
	return a->id.pci[0] && strcmp(a->id.pci, b->id.pci) == 0 && !a->is_vf && !b->is_vf;
}

/*
 * Finds ports of one PCI function, and lets all members of a bond refer to its one RDMA device,
 * which one of them has.
 */
static void find_sharers(struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		for (size_t j = 0; j < inv->count; j++) {
			struct port *p = &inv->ports[i], *other = &inv->ports[j];

			if (i != j && share_function(p, other))
				p->shares_function = true;
			if (i != j && p->id.bond[0] && strcmp(p->id.bond, other->id.bond) == 0)
				relate_members(p, other);
		}
}

/* Keeps the ports that answer DCB or have an RDMA device. */
static void drop_foreign(const struct engine *e, struct inventory *inv)
{
	size_t kept = 0;

	for (size_t i = 0; i < inv->count; i++)
		if (inv->ports[i].rdma_port ||
		    e->backends->ports.answers_dcb(e->h, inv->ports[i].id.name))
			inv->ports[kept++] = inv->ports[i];
	inv->count = kept;
}

/* A VF or SF manages none. */
static void find_eswitches(const struct engine *e, const struct link_list *links,
			   struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++) {
		struct port *p = &inv->ports[i];

		p->eswitch_mode =
			p->is_vf ? ESWITCH_NONE : e->backends->ports.eswitch_mode(e->h, links, p);
	}
}

static void pass_over(struct inventory *inv, const char *name, const char *why)
{
	struct ignored_port *o = &inv->others[inv->others_count++];

	snprintf(o->name, sizeof(o->name), "%s", name);
	o->why = why;
}

static bool read_links(const struct engine *e, const struct link_list *links, struct inventory *inv,
		       struct err *err)
{
	inv->ports = calloc(links->count + 1, sizeof(*inv->ports));
	inv->others = calloc(links->count + 1, sizeof(*inv->others));
	if (!inv->ports || !inv->others)
		return err_no_memory(err);
	for (size_t i = 0; i < links->count; i++)
		if (link_is_representor(&links->links[i]))
			pass_over(inv, links->links[i].name, "a representor: configure its uplink");
		else
			inv->count += describe(e, links, &links->links[i], &inv->ports[inv->count]);
	return true;
}

static bool nothing_matches(const char *pattern, struct err *err)
{
	err_record(err, ERR_GONE, ENODEV, "no port with DCB or RDMA matches %s", pattern);
	return err_fix(err, "run `losslessctl show` to list the ports");
}

/*
 * Suggests only names with the same digits, or with more letters and digits behind the word: other
 * digits mean another port, and acting on that is worse than no suggestion.
 */
static bool may_be_meant(const char *word, const char *name)
{
	static const char digits[] = "0123456789";

	if (strncmp(word, name, strlen(word)) == 0)
		return true;
	while (*word || *name) {
		word += strcspn(word, digits);
		name += strcspn(name, digits);
		if (*word != *name)
			return false;
		word += *word != '\0';
		name += *name != '\0';
	}
	return true;
}

/* Other tools name a port by its RDMA device, or by its PCI address without the domain. */
static bool is_its_device(const char *word, const struct identity *id)
{
	const char *slot = strchr(id->pci, ':');

	return (id->rdma[0] && strcmp(word, id->rdma) == 0) ||
	       (slot && strcmp(word, &slot[1]) == 0);
}

static const char infiniband_mode[] = "in InfiniBand mode, which is lossless by design";

static bool not_a_port(const struct link *link, struct err *err)
{
	char name[SHELL_NAME_MAX];

	if (link->is_infiniband)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "%s is %s", link->name,
			       infiniband_mode);
	if (!link->is_bond)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "port %s has neither DCB nor RDMA",
			       link->name);
	err_record(err, ERR_UNSUPPORTED, EOPNOTSUPP, "bond %s has no member with DCB or RDMA",
		   link->name);
	return err_fix(err, "run `ip link show master %s` to list its members",
		       shell_word(link->name, name, sizeof(name)));
}

static bool no_such_port(const struct link_list *links, const struct inventory *inv,
			 const char *word, struct err *err)
{
	struct suggestion near = suggest_for(word);
	size_t offered = 0;

	if (glob_is_wild(word))
		return nothing_matches(word, err);
	for (size_t i = 0; inv->others && i < inv->others_count; i++)
		if (strcmp(inv->others[i].name, word) == 0)
			return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "%s is %s", word,
				       inv->others[i].why);
	if (link_by_name(links, word))
		return not_a_port(link_by_name(links, word), err);
	err_record(err, ERR_GONE, ENODEV, "this host has no port %s", word);
	for (size_t i = 0; i < inv->count; i++) {
		const struct identity *id = &inv->ports[i].id;

		if (is_its_device(word, id))
			return err_fix(err, "did you mean %s?", id->name);
		if (may_be_meant(word, id->name)) {
			suggest_offer(&near, id->name);
			offered++;
		}
	}
	return near.best && offered == 1 ? err_fix(err, "did you mean %s?", near.best)
					 : err_fix(err, "run `losslessctl show` to list the ports");
}

static bool narrow(const struct selection *s, const struct link_list *links, struct inventory *inv,
		   struct err *err)
{
	size_t kept = 0;

	for (size_t w = 0; w < s->count; w++) {
		bool found = false;

		for (size_t i = 0; i < inv->count && !found; i++)
			found = word_names(s->words[w], &inv->ports[i].id) != NAMED_NOT;
		if (!found)
			return no_such_port(links, inv, s->words[w], err);
	}
	for (size_t i = 0; i < inv->count; i++)
		if (selection_has(s, &inv->ports[i].id))
			inv->ports[kept++] = inv->ports[i];
	inv->count = kept;
	return true;
}

bool record_is_selected(const struct engine *e, const char *name, const char *pci)
{
	const struct captured_port *p = e->captured ? captured_find(e->captured, name) : NULL;
	_link_list_ struct link_list links = { .links = NULL };
	struct identity id = { .name = "" };
	const struct link *link = NULL;
	struct err quiet = { 0 };

	if (e->selection.count && !e->captured && host_links(e->h, &links, &quiet))
		link = link_by_name(&links, name);
	if (link)
		link_identify(&links, link, &id);
	if (p)
		id = p->port.id;
	snprintf(id.name, sizeof(id.name), "%s", name);
	snprintf(id.pci, sizeof(id.pci), "%s", pci);
	return selection_has(&e->selection, &id);
}

static int by_pci(const void *a, const void *b)
{
	const struct port *x = a, *y = b;
	int order = strcmp(x->id.pci, y->id.pci);

	return order ? order : strcmp(x->id.name, y->id.name);
}

static bool make_room(struct inventory *inv, size_t more, struct err *err)
{
	struct port *ports = realloc(inv->ports, (inv->count + more + 1) * sizeof(*ports));
	struct ignored_port *others;

	if (!ports)
		return err_no_memory(err);
	inv->ports = ports;
	others = realloc(inv->others, (inv->others_count + more + 1) * sizeof(*others));
	if (!others)
		return err_no_memory(err);
	inv->others = others;
	return true;
}

/*
 * Adds the VFs and SFs that pods have: their RDMA devices are here, and their interfaces are not. A
 * PF without its interface would be unknown in nearly all, also to a losslessctl in a pod.
 */
static bool add_without_interface(const struct engine *e, struct inventory *inv,
				  const struct port_list *found, struct err *err)
{
	if (!make_room(inv, found->count, err))
		return false;
	for (size_t i = 0; i < found->count; i++) {
		struct port p = found->list[i];

		find_kind(e->h, &p);
		if (p.is_vf)
			inv->ports[inv->count++] = p;
		else
			pass_over(inv, p.id.name, "without an interface in this network namespace");
	}
	return true;
}

static bool add_infiniband(struct inventory *inv, const struct rdma_names *found, struct err *err)
{
	if (!make_room(inv, found->count, err))
		return false;
	for (size_t i = 0; i < found->count; i++)
		pass_over(inv, found->names[i], infiniband_mode);
	return true;
}

static bool find_rdma(const struct engine *e, struct inventory *inv, struct err *err)
{
	struct port_list others = { NULL, 0 };
	struct rdma_names infiniband = { .count = 0 };
	bool ok = e->backends->ports.find_rdma(e->h, inv->ports, inv->count, &others, &infiniband,
					       err) &&
		  add_infiniband(inv, &infiniband, err) &&
		  add_without_interface(e, inv, &others, err);

	free(others.list);
	return ok;
}

static bool take_captured(const struct captured *c, struct inventory *ret, struct err *err)
{
	ret->ports = calloc(c->count + 1, sizeof(*ret->ports));
	ret->others = calloc(c->others_count + 1, sizeof(*ret->others));
	if (!ret->ports || !ret->others)
		return err_no_memory(err);
	for (ret->count = 0; ret->count < c->count; ret->count++)
		ret->ports[ret->count] = c->ports[ret->count].port;
	for (; ret->others_count < c->others_count; ret->others_count++)
		ret->others[ret->others_count] = c->others[ret->others_count];
	find_sharers(ret);
	return true;
}

#define LIST_TRIES 3

static bool read_host(const struct engine *e, struct link_list *links, struct inventory *ret,
		      struct err *err)
{
	run_facts_forget(&e->h->facts); /* a check begins */
	if (!host_links(e->h, links, err) || !read_links(e, links, ret, err) ||
	    !find_rdma(e, ret, err))
		return false;
	drop_foreign(e, ret);
	find_eswitches(e, links, ret);
	find_sharers(ret);
	qsort(ret->ports, ret->count, sizeof(*ret->ports), by_pci);
	return true;
}

/* Finds a link that had another one's name in an earlier list. */
static const struct link *find_taken(const struct link_list *was, const struct link_list *now)
{
	for (size_t i = 0; i < now->count; i++) {
		const struct link *l = &now->links[i], *before = link_by_name(was, l->name);

		if (before && before->ifindex != l->ifindex)
			return l;
	}
	return NULL;
}

static bool has_port(const struct inventory *inv, unsigned ifindex)
{
	for (size_t i = 0; i < inv->count; i++)
		if (inv->ports[i].ifindex == ifindex)
			return true;
	return false;
}

/* A link with a new name may be a port that was missed; those of containers come and go. */
static bool has_same_names(const struct link_list *was, const struct link_list *now,
			   const struct inventory *inv)
{
	for (size_t i = 0; i < was->count; i++) {
		const struct link *before = &was->links[i];
		const struct link *l = link_by_index(now, before->ifindex);

		if (l ? strcmp(l->name, before->name) != 0 : has_port(inv, before->ifindex))
			return false;
	}
	return true;
}

/*
 * Most of a port is asked by its name. If two ports swap theirs meanwhile, each has the other's PCI
 * address, and the policy may mean either: who writes does not begin. Lists again if a port only
 * has a new name, as from udev, or is gone.
 */
static bool names_hold(const struct engine *e, const struct link_list *links,
		       const struct inventory *inv, bool *ret, struct err *err)
{
	_link_list_ struct link_list now = { .links = NULL };
	const struct link *taken;

	*ret = true;
	if (!e->h->may_write)
		return true;
	if (!e->h->links(e->h, &now, err))
		return false;
	taken = find_taken(links, &now);
	if (taken) {
		err_record(err, ERR_GONE, ESTALE,
			   "%s is another port's name since the ports were listed", taken->name);
		return err_fix(err, "run it again");
	}
	*ret = has_same_names(links, &now, inv);
	return true;
}

bool inventory_read(const struct engine *e, const struct selection *s, struct inventory *ret,
		    struct err *err)
{
	for (int try = 0; try < LIST_TRIES; try++) {
		_link_list_ struct link_list links = { .links = NULL };
		bool hold;

		if (e->captured)
			return take_captured(e->captured, ret, err) && narrow(s, &links, ret, err);
		if (!read_host(e, &links, ret, err) || !names_hold(e, &links, ret, &hold, err))
			return false;
		if (hold)
			return narrow(s, &links, ret, err);
		inventory_free(ret);
	}
	err_record(err, ERR_GONE, ESTALE, "ports are removed or renamed while they are listed");
	return err_fix(err, "run it again");
}
