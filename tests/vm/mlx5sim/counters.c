// SPDX-License-Identifier: GPL-2.0
/* The counters: a list that grows and shrinks with PFC and pause, as mlx5's does. */
#include "mlx5sim.h"

const char *const sim_rdma_names[SIM_RDMA_COUNT] = {
#define SIM_RDMA_NAME(name) [SIM_RDMA_##name] = #name,
	SIM_RDMA_Q(SIM_RDMA_NAME) SIM_RDMA_CONG(SIM_RDMA_NAME)
	SIM_RDMA_EXT(SIM_RDMA_NAME) SIM_RDMA_OPT(SIM_RDMA_NAME)
#undef SIM_RDMA_NAME
};

static const struct {
	const char *name;
	u8 width;
} fixed[] = {
#define SIM_CTR_ROW(name, width) { #name, width },
	SIM_FIXED(SIM_CTR_ROW)
#undef SIM_CTR_ROW
};

static const char *const traffic[SIM_TRAFFIC_COUNT] = {
	[SIM_T_RX_BYTES] = "rx_prio%u_bytes",
	[SIM_T_RX_PACKETS] = "rx_prio%u_packets",
	[SIM_T_RX_DISCARDS] = "rx_prio%u_discards",
	[SIM_T_TX_BYTES] = "tx_prio%u_bytes",
	[SIM_T_TX_PACKETS] = "tx_prio%u_packets",
};

/* %s is "prioN" or "global". */
static const char *const pause[SIM_PAUSE_COUNT] = {
	[SIM_P_RX] = "rx_%s_pause",
	[SIM_P_RX_DURATION] = "rx_%s_pause_duration",
	[SIM_P_TX] = "tx_%s_pause",
	[SIM_P_TX_DURATION] = "tx_%s_pause_duration",
	[SIM_P_RX_TRANSITION] = "rx_%s_pause_transition",
};

static const char *const storm[SIM_STORM_COUNT] = {
	"tx_pause_storm_warning_events", "tx_pause_storm_error_events",
};

static const char *const pme[SIM_PME_COUNT] = {
	"module_unplug", "module_bus_stuck", "module_high_temp", "module_bad_shorted",
};

static const char *const ring[SIM_RING_COUNT] = {
	"rx%u_packets", "rx%u_bytes", "tx%u_packets", "tx%u_bytes",
};

static const char *const congest[SIM_CONGEST_COUNT] = {
	"rx_prio%u_buf_discard", "rx_prio%u_cong_discard", "rx_prio%u_marked",
};

/* mlx5e_pcie_cong_stats_desc of en/pcie_cong_event.c, of kernels since 2025. */
static const char *const pcie_cong[SIM_PCIE_CONG_COUNT] = {
	"pci_bw_inbound_high", "pci_bw_inbound_low", "pci_bw_outbound_high", "pci_bw_outbound_low",
};

/* A walk over the counters that are present, and the callback that gets each. */
struct walk {
	u8 pfc;
	bool pause;
	bool storm;
	bool congest;
	bool pcie_cong;
	u8 channels;
	const struct sim_stat *stats;	/* the list of a driver other than mlx5 */
	void (*see)(struct walk *w, unsigned int id, const char *name);
	unsigned int seen;
	u8 *strings;
	u64 *values;
	const struct sim_port *port;
	const char *wanted;
	int found;
};

static void see_indexed(struct walk *w, const char *format, unsigned int index, unsigned int id)
{
	char name[ETH_GSTRING_LEN];

	snprintf(name, sizeof(name), format, index);
	w->see(w, id, name);
}

static void walk_pause_group(struct walk *w, unsigned int prio, const char *who)
{
	char name[ETH_GSTRING_LEN];
	unsigned int i;

	for (i = 0; i < SIM_PAUSE_COUNT; i++) {
		snprintf(name, sizeof(name), pause[i], who);
		w->see(w, SIM_CTR_PAUSE + prio * SIM_PAUSE_COUNT + i, name);
	}
}

/* The global strings are read from priority 0's set, as in mlx5. */
static void walk_pause(struct walk *w)
{
	unsigned int prio;
	char who[8];

	for (prio = 0; prio < SIM_PRIOS; prio++) {
		if (!(w->pfc & BIT(prio)))
			continue;
		snprintf(who, sizeof(who), "prio%u", prio);
		walk_pause_group(w, prio, who);
	}
	if (w->pause)
		walk_pause_group(w, 0, "global");
}

static void walk_table(struct walk *w, const char *const *formats, unsigned int formats_count,
		       unsigned int base)
{
	unsigned int n, i;

	for (n = 0; n < 8; n++)
		for (i = 0; i < formats_count; i++)
			see_indexed(w, formats[i], n, base + n * formats_count + i);
}

static void walk_others(struct walk *w)
{
	const struct sim_stat *stat;
	unsigned int prio;

	for (stat = w->stats; stat->format; stat++)
		for (prio = 0; prio < SIM_PRIOS; prio++)
			see_indexed(w, stat->format, prio, stat->first + prio * SIM_PAUSE_COUNT);
}

/* Add about as many strings as mlx5's channels have (77, and 30 a class), without values. */
static void walk_channels(struct walk *w)
{
	char name[ETH_GSTRING_LEN];
	unsigned int n, i;

	for (n = 0; n < w->channels; n++)
		for (i = 0; i < SIM_CHANNEL_COUNT; i++) {
			snprintf(name, sizeof(name), "ch%u_counter%u", n, i);
			w->see(w, SIM_CTR_RING, name);
		}
}

static void walk(struct walk *w)
{
	unsigned int i;

	if (w->stats) {
		walk_others(w);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		w->see(w, i, fixed[i].name);
	walk_table(w, traffic, SIM_TRAFFIC_COUNT, SIM_CTR_TRAFFIC);
	walk_pause(w);
	for (i = 0; w->storm && i < SIM_STORM_COUNT; i++)
		w->see(w, SIM_CTR_STORM + i, storm[i]);
	for (i = 0; i < SIM_PME_COUNT; i++)
		w->see(w, SIM_CTR_PME + i, pme[i]);
	walk_table(w, ring, SIM_RING_COUNT, SIM_CTR_RING);
	walk_channels(w);
	if (w->congest)
		walk_table(w, congest, SIM_CONGEST_COUNT, SIM_CTR_CONGEST);
	for (i = 0; w->pcie_cong && i < SIM_PCIE_CONG_COUNT; i++)
		w->see(w, SIM_CTR_PCIE_CONG + i, pcie_cong[i]);
}

static struct walk walk_of(struct sim_port *p)
{
	return (struct walk) {
		.pfc = p->hw->pfc,
		.pause = p->hw->rx_pause || p->hw->tx_pause,
		.storm = sim_has(p, SIM_CAP_STALL),
		.congest = sim_has(p, SIM_CAP_SBCAM),
		.pcie_cong = sim_has(p, SIM_CAP_PCIE_CONG),
		.channels = p->hw->channels,
		.stats = sim_kind(p)->stats,
		.port = p,
	};
}

static void count_one(struct walk *w, unsigned int id, const char *name)
{
	w->seen++;
}

static void copy_string(struct walk *w, unsigned int id, const char *name)
{
	strscpy(w->strings + w->seen++ * ETH_GSTRING_LEN, name, ETH_GSTRING_LEN);
}

static void copy_value(struct walk *w, unsigned int id, const char *name)
{
	w->values[w->seen++] = w->port->cached[id];
}

static void match_name(struct walk *w, unsigned int id, const char *name)
{
	if (w->found < 0 && !strcmp(name, w->wanted))
		w->found = id;
}

unsigned int sim_counters_visible(struct sim_port *p)
{
	struct walk w = walk_of(p);

	w.see = count_one;
	walk(&w);
	return w.seen;
}

void sim_counters_strings(struct sim_port *p, u8 *data)
{
	struct walk w = walk_of(p);

	w.see = copy_string;
	w.strings = data;
	walk(&w);
}

void sim_counters_values(struct sim_port *p, u64 *data)
{
	struct walk w = walk_of(p);

	w.see = copy_value;
	w.values = data;
	walk(&w);
}

void sim_counters_refresh(struct sim_port *p)
{
	unsigned int id;

	sim_storm_settle(p->hw);
	for (id = 0; id < SIM_CTR_COUNT; id++)
		p->cached[id] = sim_counter_read(p->hw, id);
}

u64 sim_counter_read(const struct sim_hw *hw, unsigned int id)
{
	u64 value = atomic64_read(&hw->counter[id]);

	return id < ARRAY_SIZE(fixed) && fixed[id].width == 32 ? (u32)value : value;
}

void sim_counter_add(struct sim_hw *hw, unsigned int id, u64 n)
{
	atomic64_add(n, &hw->counter[id]);
}

/* Q-counters are 32 bits wide in firmware and wrap; the others are 64 bits wide. */
u64 sim_rdma_read(const struct sim_hw *hw, unsigned int id)
{
	u64 value = atomic64_read(&hw->rdma[id]);

	return id < SIM_RDMA_CONG_FIRST ? (u32)value : value;
}

int sim_counter_bump(struct sim_hw *hw, const char *name, u64 n)
{
	struct walk w = {
		.pfc = 0xff, .pause = true, .storm = true, .congest = true,
		.pcie_cong = true,
		.see = match_name, .wanted = name, .found = -EINVAL,
	};
	int rdma = match_string(sim_rdma_names, SIM_RDMA_COUNT, name);
	int fec = match_string(sim_fec_names, SIM_FEC_COUNT, name);

	if (rdma >= 0 || fec >= 0) {
		atomic64_add(n, rdma >= 0 ? &hw->rdma[rdma] : &hw->fec_blocks[fec]);
		return 0;
	}
	walk(&w);
	if (w.found < 0)
		return w.found;
	sim_counter_add(hw, w.found, n);
	return 0;
}
