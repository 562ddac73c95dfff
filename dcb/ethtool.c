#include "ethtool.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_MAX 256

struct request {
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

/*
 * Every ethtool message starts with a header that names the port; it is attribute 1 in all of them.
 */
static void start_ethtool_request(struct request *r, uint8_t cmd, const char *port, uint32_t flags)
{
	struct genlmsghdr *g;
	struct nlattr *header;

	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	g = mnl_nlmsg_put_extra_header(r->n, sizeof(*g));
	g->cmd = cmd;
	g->version = ETHTOOL_GENL_VERSION;
	header = mnl_attr_nest_start(r->n, ETHTOOL_A_PAUSE_HEADER);
	mnl_attr_put_strz(r->n, ETHTOOL_A_HEADER_DEV_NAME, port);
	mnl_attr_put_u32(r->n, ETHTOOL_A_HEADER_FLAGS, flags);
	mnl_attr_nest_end(r->n, header);
}

struct pause_reply {
	struct pause_params params;
	bool rx, tx; /* present in the reply */
};

static int parse_pause(const struct nlattr *a, void *arg)
{
	struct pause_reply *p = arg;

	if (mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_AUTONEG &&
	    mnl_attr_validate(a, MNL_TYPE_U8) == 0)
		p->params.autoneg = mnl_attr_get_u8(a);
	if (mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_RX && mnl_attr_validate(a, MNL_TYPE_U8) == 0) {
		p->params.rx = mnl_attr_get_u8(a);
		p->rx = true;
	}
	if (mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_TX && mnl_attr_validate(a, MNL_TYPE_U8) == 0) {
		p->params.tx = mnl_attr_get_u8(a);
		p->tx = true;
	}
	return MNL_CB_OK;
}

static int each_pause(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_pause, arg);
}

bool ethtool_get_pause(struct host *h, const char *port, struct pause_params *ret, struct err *err)
{
	struct pause_reply p = { 0 };
	struct request r;

	start_ethtool_request(&r, ETHTOOL_MSG_PAUSE_GET, port, 0);
	if (!host_talk(h, BUS_ETHTOOL, r.n, each_pause, &p, err))
		return false;
	if (!p.rx || !p.tx)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the driver does not report it");
	*ret = p.params;
	return true;
}

/*
 * ETHTOOL_A_PAUSE_STAT_TX_PAUSE_STORM_EVENTS of kernels since 2026, which older headers lack: the
 * attribute after the received frames (include/uapi/linux/ethtool_netlink_generated.h).
 */
#define PAUSE_STAT_STORMS (ETHTOOL_A_PAUSE_STAT_RX_FRAMES + 1)

struct storms {
	uint64_t total;
	bool known;
};

static int parse_pause_stat(const struct nlattr *a, void *arg)
{
	struct storms *s = arg;

	if (mnl_attr_get_type(a) == PAUSE_STAT_STORMS && mnl_attr_validate(a, MNL_TYPE_U64) == 0) {
		s->total = mnl_attr_get_u64(a);
		s->known = true;
	}
	return MNL_CB_OK;
}

static int parse_pause_stats(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_STATS
		       ? mnl_attr_parse_nested(a, parse_pause_stat, arg)
		       : MNL_CB_OK;
}

static int each_pause_stats(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_pause_stats, arg);
}

bool ethtool_get_pause_storms(struct host *h, const char *port, uint64_t *ret, struct err *err)
{
	struct storms s = { 0 };
	struct request r;

	start_ethtool_request(&r, ETHTOOL_MSG_PAUSE_GET, port, ETHTOOL_FLAG_STATS);
	if (!host_talk(h, BUS_ETHTOOL, r.n, each_pause_stats, &s, err))
		return false;
	if (!s.known)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "pause storms are not counted");
	*ret = s.total;
	return true;
}

bool ethtool_set_pause(struct host *h, const char *port, const struct pause_params *p,
		       struct err *err)
{
	struct request r;

	start_ethtool_request(&r, ETHTOOL_MSG_PAUSE_SET, port, 0);
	mnl_attr_put_u8(r.n, ETHTOOL_A_PAUSE_AUTONEG, 0);
	mnl_attr_put_u8(r.n, ETHTOOL_A_PAUSE_RX, p->rx);
	mnl_attr_put_u8(r.n, ETHTOOL_A_PAUSE_TX, p->tx);
	return host_talk(h, BUS_ETHTOOL, r.n, NULL, NULL, err);
}

/*
 * A mode's name begins with its speed, "100000baseCR4/Full"; names of other bits begin with a
 * letter.
 */
static int parse_mode_name(const struct nlattr *a, void *arg)
{
	uint32_t *best = arg;
	unsigned long mbps;

	if (mnl_attr_get_type(a) != ETHTOOL_A_BITSET_BIT_NAME ||
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) < 0)
		return MNL_CB_OK;
	mbps = strtoul(mnl_attr_get_str(a), NULL, 10);
	if (mbps > *best && mbps < UINT32_MAX)
		*best = (uint32_t)mbps;
	return MNL_CB_OK;
}

static int parse_mode(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == ETHTOOL_A_BITSET_BITS_BIT
		       ? mnl_attr_parse_nested(a, parse_mode_name, arg)
		       : MNL_CB_OK;
}

static int parse_bits(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == ETHTOOL_A_BITSET_BITS
		       ? mnl_attr_parse_nested(a, parse_mode, arg)
		       : MNL_CB_OK;
}

static int parse_speed(const struct nlattr *a, void *arg)
{
	struct link_speeds *s = arg;

	switch (mnl_attr_get_type(a)) {
	case ETHTOOL_A_LINKMODES_SPEED:
		if (mnl_attr_validate(a, MNL_TYPE_U32) == 0)
			s->now = mnl_attr_get_u32(a);
		return MNL_CB_OK;
	case ETHTOOL_A_LINKMODES_OURS:
		/* The mask of this bitset lists the supported modes, so every listed bit counts. */
		return mnl_attr_parse_nested(a, parse_bits, &s->best);
	default:
		return MNL_CB_OK;
	}
}

static int each_speed(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_speed, arg);
}

bool ethtool_get_speeds(struct host *h, const char *port, struct link_speeds *ret, struct err *err)
{
	struct link *known = run_link(&h->facts, port);
	struct link_speeds s = { 0, 0 };
	struct request r;

	if (known && known->speeds_known) {
		*ret = known->speeds;
		return true;
	}
	start_ethtool_request(&r, ETHTOOL_MSG_LINKMODES_GET, port, 0);
	if (!host_talk(h, BUS_ETHTOOL, r.n, each_speed, &s, err))
		return false;
	if (s.now == (uint32_t)SPEED_UNKNOWN)
		s.now = 0;
	if (known) {
		known->speeds = s;
		known->speeds_known = true;
	}
	*ret = s;
	return true;
}

bool ethtool_get_driver(struct host *h, const char *port, struct driver_info *ret, struct err *err)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	if (!host_ethtool(h, port, &info, err))
		return false;
	*ret = (struct driver_info){ "", "", "" };
	snprintf(ret->driver, sizeof(ret->driver), "%.31s", info.driver);
	snprintf(ret->firmware, sizeof(ret->firmware), "%.31s", info.fw_version);
	snprintf(ret->bus, sizeof(ret->bus), "%.31s", info.bus_info);
	if (!strchr(ret->bus, ':'))
		ret->bus[0] = '\0';
	return true;
}

bool ethtool_get_fec(struct host *h, const char *port, uint32_t *ret, struct err *err)
{
	struct ethtool_fecparam fec = { .cmd = ETHTOOL_GFECPARAM };

	if (!host_ethtool(h, port, &fec, err))
		return false;
	*ret = fec.active_fec;
	return fec.active_fec != ETHTOOL_FEC_NONE ||
	       err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the port has no error correction");
}

/* An unaligned array of 64-bit numbers; the first is the total. */
static void parse_fec_count(const struct nlattr *a, struct fec_count *ret)
{
	ret->known = mnl_attr_get_payload_len(a) >= sizeof(ret->total);
	if (ret->known)
		memcpy(&ret->total, mnl_attr_get_payload(a), sizeof(ret->total));
}

static int parse_fec_stat(const struct nlattr *a, void *arg)
{
	struct fec_stats *f = arg;

	if (mnl_attr_get_type(a) == ETHTOOL_A_FEC_STAT_CORRECTED)
		parse_fec_count(a, &f->corrected);
	if (mnl_attr_get_type(a) == ETHTOOL_A_FEC_STAT_UNCORR)
		parse_fec_count(a, &f->uncorrectable);
	return MNL_CB_OK;
}

static int parse_fec(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == ETHTOOL_A_FEC_STATS
		       ? mnl_attr_parse_nested(a, parse_fec_stat, arg)
		       : MNL_CB_OK;
}

static int each_fec(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_fec, arg);
}

bool ethtool_get_fec_stats(struct host *h, const char *port, struct fec_stats *ret, struct err *err)
{
	struct fec_stats f = { 0 };
	struct request r;

	start_ethtool_request(&r, ETHTOOL_MSG_FEC_GET, port, ETHTOOL_FLAG_STATS);
	if (!host_talk(h, BUS_ETHTOOL, r.n, each_fec, &f, err))
		return false;
	if (!f.corrected.known && !f.uncorrectable.known)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "FEC counts no blocks");
	*ret = f;
	return true;
}

/* The header, followed by the value. */
struct tunable {
	char bytes[sizeof(struct ethtool_tunable) + sizeof(uint16_t)] __attribute__((aligned(8)));
};

static bool tune(struct host *h, const char *port, uint32_t cmd, uint32_t id, uint16_t *value,
		 struct err *err)
{
	struct ethtool_tunable header = {
		.cmd = cmd, .id = id, .type_id = ETHTOOL_TUNABLE_U16, .len = sizeof(*value)
	};
	struct tunable t;

	memcpy(t.bytes, &header, sizeof(header));
	memcpy(t.bytes + sizeof(header), value, sizeof(*value));
	if (!host_ethtool(h, port, &t, err))
		return false;
	memcpy(value, t.bytes + sizeof(header), sizeof(*value));
	return true;
}

bool ethtool_get_tunable(struct host *h, const char *port, uint32_t id, uint16_t *ret,
			 struct err *err)
{
	uint16_t value = 0;

	if (!tune(h, port, ETHTOOL_GTUNABLE, id, &value, err))
		return false;
	*ret = value;
	return true;
}

bool ethtool_set_tunable(struct host *h, const char *port, uint32_t id, uint16_t value,
			 struct err *err)
{
	return tune(h, port, ETHTOOL_STUNABLE, id, &value, err);
}
