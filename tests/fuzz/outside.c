#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <string.h>

#include "fuzz.h"
#include "outside_files.h"

#define MESSAGES_MAX 7
#define LINKS_MAX    4
#define SLEEPS_MAX   600000

struct outside *outside_of(struct host *h)
{
	return (struct outside *)h;
}

uint8_t outside_byte(struct outside *o)
{
	return o->at < o->end ? *o->at++ : 0;
}

bool outside_ask(struct outside *o, void (*const *asks)(struct outside *o), size_t count)
{
	uint8_t which = outside_byte(o);

	if (which >= count)
		return false;
	asks[which](o);
	return true;
}

static size_t take_length(struct outside *o)
{
	size_t low = outside_byte(o), length = low | (size_t)outside_byte(o) << 8;
	size_t left = (size_t)(o->end - o->at);

	return length < left ? length : left;
}

static void take_bytes(struct outside *o, void *to, size_t size)
{
	size_t left = (size_t)(o->end - o->at), n = size < left ? size : left;

	memset(to, 0, size);
	memcpy(to, o->at, n);
	o->at += n;
}

bool outside_fails(int code, struct err *err)
{
	return err_set(err, host_err_kind(code), code, "%s", strerror(code));
}

/*
 * The message has memory of its size only, so that sanitizers detect reads beyond it. Its padding
 * is included, because it comes with the message (host_linux_is_whole), and libmnl counts it.
 */
static bool hand_out(struct outside *o, reply_fn *each, void *arg, struct err *err)
{
	size_t size = take_length(o);
	struct nlmsghdr *n = calloc(1, NLMSG_SPACE(size));
	int said = MNL_CB_OK;

	MUST(n);
	n->nlmsg_len = (uint32_t)(NLMSG_HDRLEN + size);
	n->nlmsg_type = NLMSG_MIN_TYPE;
	take_bytes(o, (char *)n + NLMSG_HDRLEN, size);
	if (each)
		said = each(n, arg);
	free(n);
	return said >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct outside *o = outside_of(h);
	uint8_t count = outside_byte(o);

	(void)bus;
	(void)request;
	if (count & 0x80)
		return outside_fails(count & 0x7f, err);
	for (count &= MESSAGES_MAX; count > 0; count--)
		if (!hand_out(o, each, arg, err))
			return false;
	return true;
}

/* Give the names of few counters; the kernel writes no more than the driver had or has. */
static void give_names(struct outside *o, struct ethtool_gstrings *ret)
{
	static const char *const known[] = { "rx_prio3_bytes", "rx_prio3_pause", "tx_prio3_pause",
					     "rx_discards_phy", "rx_prio9_bytes" };

	ret->len = outside_byte(o);
	for (uint32_t i = 0; i < ret->len; i++) {
		char *name = (char *)ret->data + (size_t)i * ETH_GSTRING_LEN;
		uint8_t which = outside_byte(o);

		memset(name, 0, ETH_GSTRING_LEN);
		if (which < sizeof(known) / sizeof(known[0]))
			memcpy(name, known[which], strlen(known[which]));
		else
			take_bytes(o, name, which % (ETH_GSTRING_LEN + 1));
	}
}

static void give_values(struct outside *o, struct ethtool_stats *ret)
{
	ret->n_stats = outside_byte(o);
	for (uint32_t i = 0; i < ret->n_stats; i++)
		take_bytes(o, &ret->data[i], sizeof(ret->data[i]));
}

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct outside *o = outside_of(h);
	uint8_t code = outside_byte(o);
	uint32_t number;

	(void)port;
	memcpy(&number, command, sizeof(number));
	if (code & 0x80)
		return outside_fails(code & 0x7f, err);
	if (number == ETHTOOL_GDRVINFO)
		take_bytes(o, (char *)command + 4, sizeof(struct ethtool_drvinfo) - 4);
	if (number == ETHTOOL_GTUNABLE)
		take_bytes(o, (char *)command + sizeof(struct ethtool_tunable), 2);
	if (number == ETHTOOL_GSSET_INFO)
		take_bytes(o, (char *)command + 8, 12);
	if (number == ETHTOOL_GSTRINGS)
		give_names(o, command);
	if (number == ETHTOOL_GSTATS)
		give_values(o, command);
	return true;
}

/* The kernel's dev_valid_name() accepts every byte in a name but these. */
static void name_vlan(struct outside *o, char ret[LINK_NAME_MAX])
{
	snprintf(ret, LINK_NAME_MAX, "v%u", outside_byte(o) & 7);
	ret[2] = (char)outside_byte(o);
	if (strchr("/: \t\n\v\f\r\xa0", ret[2]))
		ret[2] = '\0';
	ret[3] = '\0';
}

static void give_link(struct outside *o, struct link *ret)
{
	take_bytes(o, ret, sizeof(*ret));
	*ret = (struct link){ .ifindex = ret->ifindex % 8,
			      .master = ret->master % 8,
			      .lower = ret->lower % 8,
			      .is_vlan = ret->lower % 8,
			      .name = "ens1f0np0",
			      .mtu = ret->mtu,
			      .up = true,
			      .carrier_changes = ret->carrier_changes };
	ret->is_bond = outside_byte(o) & 1;
	ret->carrier = outside_byte(o) & 1;
	take_bytes(o, ret->pcp, sizeof(ret->pcp));
	for (int p = 0; p < PRIOS; p++)
		ret->pcp[p] &= 7; /* as in agent/host/rtnl.c */
	if (ret->lower)
		name_vlan(o, ret->name);
}

static bool link_of(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct outside *o = outside_of(h);
	uint8_t code = outside_byte(o);

	if (code & 0x80)
		return outside_fails(code & 0x7f, err);
	give_link(o, ret);
	ret->ifindex = ifindex;
	return true;
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	struct outside *o = outside_of(h);
	uint8_t count = outside_byte(o);

	if (count & 0x80)
		return outside_fails(count & 0x7f, err);
	*ret = (struct link_list){ .links = calloc(LINKS_MAX, sizeof(struct link)),
				   .count = count % LINKS_MAX };
	MUST(ret->links);
	for (size_t i = 0; i < ret->count; i++)
		give_link(o, &ret->links[i]);
	return true;
}

static bool set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	(void)ifindex;
	(void)mtu;
	return outside_changes(h, err);
}

static bool set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err)
{
	MUST(prio < PRIOS && pcp < 8);
	(void)vlan;
	return outside_changes(h, err);
}

static bool send_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	MUST(pid > 1);
	(void)number;
	return outside_changes(h, err);
}

static bool ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
		       struct err *err)
{
	(void)request;
	return outside_text(outside_of(h), reply, size, err);
}

static uint64_t now_ms(struct host *h)
{
	return outside_of(h)->now_ms;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	outside_of(h)->now_ms += ms;
	MUST(outside_of(h)->now_ms < SLEEPS_MAX); /* every wait must end */
}

static int interrupted(struct host *h)
{
	return outside_byte(outside_of(h)) == 0xff ? 2 : 0;
}

static void tell(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	MUST(port && what);
}

void outside_begin(struct outside *o, const uint8_t *data, size_t size)
{
	*o = (struct outside){ .host = { .root = -1,
					 .may_write = true,
					 .talk = talk,
					 .ethtool = ethtool,
					 .links = links,
					 .link = link_of,
					 .set_mtu = set_mtu,
					 .set_egress = set_egress,
					 .read_file = outside_read_file,
					 .write_file = outside_write_file,
					 .make_dir = outside_one_word,
					 .list_dir = outside_list_dir,
					 .save_file = outside_save_file,
					 .rewrite_file = outside_save_file,
					 .publish_file = outside_save_file,
					 .move_file = outside_move_file,
					 .reserve_room = outside_reserve_room,
					 .release_file = outside_release_file,
					 .load_module = outside_one_word,
					 .signal = send_signal,
					 .ask_lldpad = ask_lldpad,
					 .now_ms = now_ms,
					 .sleep_ms = sleep_ms,
					 .interrupted = interrupted,
					 .report = tell },
			       .port = { .id = { .name = "ens1f0np0",
						 .pci = "0000:01:00.0",
						 .driver = "mlx5_core",
						 .mac = "00:00:5e:00:53:01",
						 .rdma = "mlx5_0" },
					 .ifindex = 2,
					 .rdma_port = 1,
					 .up = true,
					 .carrier = true },
			       .at = data,
			       .end = size ? data + size : data,
			       .now_ms = 1000 };
}

void outside_end(struct outside *o)
{
	free(o->saved);
}
