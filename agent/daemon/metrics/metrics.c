#include "metrics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../../policy/model/setting.h"
#include "../../../policy/util/sanitize.h"

/* ---- families ---- */

#define GAUGE	"gauge"
#define COUNTER "counter"

/* clang-format off: one row per family */
const struct metric_family metric_families[] = {
	{ "build_info", GAUGE, "Version of losslessctl that is running." },
	{ "policy_info", GAUGE, "Policy in force, by name, checksum and generation." },
	{ "policy_last_reload_successful", GAUGE,
	  "1 if the last reload of the policy succeeded, else 0." },
	{ "transaction_incomplete", GAUGE, "1 while a transaction has not ended, else 0." },
	{ "policy_rules_unmet", GAUGE,
	  "Rules of the policy whose required ports this host lacks." },
	{ "last_verify_timestamp_seconds", GAUGE, "Unix time of the last check of the settings." },
	{ "port_info", GAUGE, "Interface, PCI address and RDMA device of a port." },
	{ "port_carrier", GAUGE, "1 if the port has a link, else 0." },
	{ "port_in_sync", GAUGE,
	  "1 if all settings are in sync and no lint of severity critical has a finding, else 0." },
	{ "settings", GAUGE, "Settings that the policy configures, by status at the last check." },
	{ "drift_events_total", COUNTER, "Times that a setting drifted." },
	{ "settings_repaired_total", COUNTER, "Drifted settings that the agent repaired." },
	{ "repair_failures_total", COUNTER,
	  "Repairs that failed, by outcome: failed (and rolled back) or rollback_failed." },
	{ "recordings_total", COUNTER,
	  "Recordings of the minutes before a critical symptom that the agent saved." },
	{ "last_recording_timestamp_seconds", GAUGE,
	  "Unix time of the symptom of a port's newest recording; absent without one." },
	{ "port_speed_bytes_per_second", GAUGE,
	  "Link speed in bytes per second, as in node_network_speed_bytes." },
	{ "setting_drifted", GAUGE,
	  "1 while a setting differs from the policy; absent otherwise." },
	{ "setting_contested", GAUGE,
	  "1 while a setting is contested: another writer reverts repairs; absent otherwise." },
	{ "finding_active", GAUGE, "1 while a lint has a finding on the port; absent otherwise." },
	{ "ready", GAUGE,
	  "1 if a check of losslessctl ready meets its expectation, else 0; absent if unknown." },
	{ "symptom_active", GAUGE, "1 while the counters show a symptom, else 0." },

	{ "pfc_pause_frames_total", COUNTER, "PFC frames, by priority: rx received, tx sent." },
	{ "pfc_pause_seconds_total", COUNTER,
	  "Time paused by PFC, by priority: rx this port, tx the peer." },
	{ "pfc_pause_transitions_total", COUNTER,
	  "Times that this port resumed sending a priority after a PFC pause." },
	{ "port_bytes_total", COUNTER, "Bytes received and sent by the port, by priority." },
	{ "port_packets_total", COUNTER, "Packets received and sent by the port, by priority." },
	{ "rx_drops_total", COUNTER,
	  "Received packets that were dropped, by priority and reason." },
	{ "rx_class_drops_total", COUNTER,
	  "Received packets that were dropped, by traffic class and reason." },
	{ "global_pause_frames_total", COUNTER,
	  "802.3x pause frames, which pause all priorities: rx received, tx sent." },
	{ "global_pause_seconds_total", COUNTER,
	  "Time paused by 802.3x pause: rx this port, tx the peer." },
	{ "pause_storm_warnings_total", COUNTER,
	  "Times that this port paused the peer on priority 0 for longer than the minor "
	  "watermark." },
	{ "pause_storm_watchdog_trips_total", COUNTER,
	  "Times that the storm watchdog turned pause off on priority 0; lossless packets may be "
	  "dropped." },
	{ "pause_storm_events_total", COUNTER,
	  "Times that the storm watchdog turned pause off on any priority; absent before Linux of "
	  "2026." },
	{ "port_drops_total", COUNTER,
	  "Packets dropped by the port; rx includes port_buffer of rx_drops_total, do not add "
	  "them." },
	{ "rx_crc_errors_total", COUNTER,
	  "Frames received with a bad checksum: a bad cable or module." },
	{ "rx_symbol_errors_total", COUNTER,
	  "Frames received with a coding error (symbol error): a bad cable or module." },
	{ "rx_pcs_symbol_errors_total", COUNTER,
	  "Wrong symbols in the PCS that FEC did not correct, or on a link without FEC." },
	{ "fec_corrected_blocks_total", COUNTER,
	  "Blocks in which FEC corrected errors; normal on links with PAM4." },
	{ "fec_uncorrectable_blocks_total", COUNTER,
	  "Blocks that FEC could not correct: a bad cable or module." },
	{ "rx_buffer_threshold_events_total", COUNTER,
	  "Times that the receive buffer was 85 % full." },
	{ "pci_stalled_ratio", GAUGE,
	  "Share of the last second in which the adapter could not access the host's memory." },
	{ "pci_buffer_overflow_drops_total", COUNTER,
	  "Packets dropped because the host took them too slowly." },
	{ "pci_congestion_events_total", COUNTER,
	  "Times that PCIe traffic crossed a threshold of the adapter; it is congested while the "
	  "count of high exceeds that of low." },
	{ "link_down_events_total", COUNTER,
	  "Times that the link went down; each change of PFC is one on some adapters." },
	{ "rdma_bytes_total", COUNTER, "RDMA bytes received and sent by this function." },
	{ "rdma_packets_total", COUNTER, "RDMA packets received and sent by this function." },
	{ "cnp_sent_total", COUNTER,
	  "Congestion notifications sent because marked packets arrived (NP)." },
	{ "ecn_marked_packets_total", COUNTER, "RoCE packets that arrived with a CE mark." },
	{ "cnp_handled_total", COUNTER,
	  "Congestion notifications that made this host send slower (RP)." },
	{ "cnp_ignored_total", COUNTER, "Congestion notifications that this host ignored." },
	{ "rdma_out_of_sequence_packets_total", COUNTER,
	  "RDMA packets that arrived out of order: some were dropped or overtaken." },
	{ "rdma_sequence_error_naks_total", COUNTER,
	  "Negative acknowledgements received: the remote host missed a packet." },
	{ "rdma_implied_naks_total", COUNTER,
	  "Acknowledgements that skipped a read or an atomic." },
	{ "rdma_ack_timeouts_total", COUNTER, "Acknowledgements that did not arrive in time." },
	{ "rdma_rnr_naks_total", COUNTER,
	  "RNR NAKs received: the remote host had no receive buffer posted." },
	{ "rdma_out_of_buffer_drops_total", COUNTER,
	  "Packets dropped because this host's application had no receive buffer posted." },
	{ "rdma_adaptive_retransmissions_total", COUNTER, "Adaptive retransmissions." },
	{ "rdma_slow_restarts_total", COUNTER,
	  "Times that a connection restarted slowly after a pause." },
	{ "rdma_icrc_errors_total", COUNTER, "RoCE packets with a bad invariant checksum." },
};
/* clang-format on */

const size_t metric_families_count = sizeof(metric_families) / sizeof(metric_families[0]);

const struct metric_family *metric_family_by_name(const char *name)
{
	for (size_t i = 0; i < metric_families_count; i++)
		if (strcmp(metric_families[i].name, name) == 0)
			return &metric_families[i];
	return NULL;
}

/* ---- text ---- */

/* A page; once it is full its text is unusable. */
struct metrics_buf {
	char *text;
	size_t size, used;
	bool full;
};

static void __attribute__((format(printf, 2, 3))) put(struct metrics_buf *p, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(p->text + p->used, p->size - p->used, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= p->size - p->used)
		p->full = true;
	else
		p->used += (size_t)n;
}

static void put_text(struct metrics_buf *p, const char *text)
{
	size_t length = strlen(text);

	if (length >= p->size - p->used) {
		p->full = true;
		return;
	}
	memcpy(p->text + p->used, text, length + 1);
	p->used += length;
}

static void put_label(struct metrics_buf *p, const char *key, const char *value)
{
	char next[SANITIZED_CHAR_MAX];

	put_text(p, key);
	put_text(p, "=\"");
	while (*sanitize_next(&value, next))
		for (const char *c = next; *c; c++) {
			put_text(p, *c == '\\' || *c == '"' ? "\\" : "");
			put_text(p, (char[]){ *c, '\0' });
		}
	put_text(p, "\"");
}

static void put_family(struct metrics_buf *p, const char *name)
{
	const struct metric_family *f = metric_family_by_name(name);

	if (f)
		put(p, "# HELP losslessctl_%s %s\n# TYPE losslessctl_%s %s\n", name, f->help, name,
		    f->type);
}

#define LINE_ROOM 192

static void put_host_value(struct metrics_buf *p, const char *family, uint64_t value)
{
	put_family(p, family);
	put(p, "losslessctl_%s %llu\n", family, (unsigned long long)value);
}

static void put_host(struct metrics_buf *p, const struct metered_host *h)
{
	put_family(p, "build_info");
	put(p, "losslessctl_build_info{");
	put_label(p, "version", h->version);
	put(p, "} 1\n");
	put_family(p, "policy_info");
	put(p, "losslessctl_policy_info{");
	put_label(p, "policy", h->policy);
	put(p, ",");
	put_label(p, "sha256", h->sha256);
	if (h->generation)
		put(p, ",generation=\"%llu\"", (unsigned long long)h->generation);
	put(p, "} 1\n");
	put_host_value(p, "policy_last_reload_successful", h->reloaded);
	put_host_value(p, "transaction_incomplete", h->unfinished);
	put_host_value(p, "policy_rules_unmet", h->unmet);
	if (h->verified_at_s)
		put_host_value(p, "last_verify_timestamp_seconds", h->verified_at_s);
}

static uint64_t port_in_sync(const struct metered *m)
{
	return !m->drifted && !m->unknown && !m->errors;
}

static uint64_t settings_in_sync(const struct metered *m)
{
	return m->in_sync;
}

static uint64_t settings_drifted(const struct metered *m)
{
	return m->drifted;
}

static uint64_t settings_unknown(const struct metered *m)
{
	return m->unknown;
}

static uint64_t has_carrier(const struct metered *m)
{
	return m->carrier;
}

static uint64_t drifts(const struct metered *m)
{
	return m->drifts;
}

static uint64_t repairs(const struct metered *m)
{
	return m->repairs;
}

static uint64_t rolled_back(const struct metered *m)
{
	return m->rolled_back;
}

static uint64_t rollback_failed(const struct metered *m)
{
	return m->rollback_failed;
}

static uint64_t recordings(const struct metered *m)
{
	return m->recordings;
}

static uint64_t recorded_at_s(const struct metered *m)
{
	return m->recorded_at_s;
}

static uint64_t speed_bytes(const struct metered *m)
{
	return m->speed_mbps * (1000000ULL / 8);
}

/* Metrics of a port other than kernel counters; rows of one family are adjacent. */
struct figure {
	const char *name;
	const char *label, *value; /* or NULL */
	uint64_t (*of)(const struct metered *m);
	bool may_be_absent; /* 0 is unknown, and has no line */
};

/* clang-format off: one row per metric */
static const struct figure figures[] = {
	{ "port_carrier", NULL, NULL, has_carrier, false },
	{ "port_in_sync", NULL, NULL, port_in_sync, false },
	{ "settings", "status", "in_sync", settings_in_sync, false },
	{ "settings", "status", "drift", settings_drifted, false },
	{ "settings", "status", "unknown", settings_unknown, false },
	{ "drift_events_total", NULL, NULL, drifts, false },
	{ "settings_repaired_total", NULL, NULL, repairs, false },
	{ "repair_failures_total", "outcome", "failed", rolled_back, false },
	{ "repair_failures_total", "outcome", "rollback_failed", rollback_failed, false },
	{ "recordings_total", NULL, NULL, recordings, false },
	{ "last_recording_timestamp_seconds", NULL, NULL, recorded_at_s, true },
	{ "port_speed_bytes_per_second", NULL, NULL, speed_bytes, true },
};
/* clang-format on */

/* Writes empty labels, too: joins see the same labels on every port. */
static void put_port_info(struct metrics_buf *p, const struct metered *ports, size_t count)
{
	put_family(p, "port_info");
	for (size_t k = 0; k < count; k++) {
		if (!ports[k].compared && !ports[k].sample)
			continue;
		put_text(p, "losslessctl_port_info{");
		put_label(p, "netdev", ports[k].port);
		put_text(p, ",");
		put_label(p, "pci", ports[k].pci);
		put_text(p, ",");
		put_label(p, "rdma", ports[k].rdma);
		put_text(p, "} 1\n");
	}
}

static void put_figures(struct metrics_buf *p, const struct metered *ports, size_t count)
{
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const struct figure *f = &figures[i];

		if (i == 0 || strcmp(f->name, figures[i - 1].name) != 0)
			put_family(p, f->name);
		for (size_t k = 0; k < count; k++) {
			if (!ports[k].compared || (f->may_be_absent && !f->of(&ports[k])))
				continue;
			put(p, "losslessctl_%s{", f->name);
			put_label(p, "netdev", ports[k].port);
			if (f->label)
				put(p, ",%s=\"%s\"", f->label, f->value);
			put(p, "} %llu\n", (unsigned long long)f->of(&ports[k]));
		}
	}
}

/* Writes a line per setting of the set: most hosts have none. */
static void put_settings(struct metrics_buf *p, const char *family, const char *port,
			 setting_set which)
{
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		if (!(which & SETTING(k)))
			continue;
		put(p, "losslessctl_%s{", family);
		put_label(p, "netdev", port);
		put(p, ",setting=\"%s\"} 1\n", settings[k].path);
	}
}

static void put_drift(struct metrics_buf *p, const struct metered *ports, size_t count)
{
	put_family(p, "setting_drifted");
	for (size_t k = 0; k < count; k++)
		if (ports[k].compared && ports[k].drift)
			put_settings(p, "setting_drifted", ports[k].port, ports[k].drift->differ);
	put_family(p, "setting_contested");
	for (size_t k = 0; k < count; k++)
		if (ports[k].compared && ports[k].drift)
			put_settings(p, "setting_contested", ports[k].port,
				     ports[k].drift->contested);
}

static bool has_symptom(const struct metered *m, const struct symptom *s)
{
	for (size_t i = 0; i < m->active_symptoms_count; i++)
		if (m->active_symptoms[i].symptom == s)
			return true;
	return false;
}

/* Writes a line only while there is a finding. */
static void put_findings(struct metrics_buf *p, const struct severities *s,
			 const struct metered *ports, size_t count)
{
	put_family(p, "finding_active");
	for (size_t i = 0; lint_at(i); i++)
		for (size_t k = 0; k < count; k++) {
			if (!ports[k].compared || !(ports[k].findings & LINT(i)))
				continue;
			put_text(p, "losslessctl_finding_active{");
			put_label(p, "netdev", ports[k].port);
			put(p, ",lint=\"%s\",severity=\"%s\"} 1\n", lint_at(i)->name,
			    severity_name(severity_of_lint(s, i)));
		}
}

/* `port` NULL: the host, whose lines have no label of a port. */
static void put_readiness(struct metrics_buf *p, const char *port, const struct readiness *r)
{
	for (unsigned i = 0; i < READY_COUNT; i++) {
		if (!((r->met | r->not_met) & READY(i)))
			continue;
		put_text(p, "losslessctl_ready{");
		if (port)
			put_label(p, "netdev", port);
		put(p, "%scheck=\"%s\"} %d\n", port ? "," : "", ready_checks[i].name,
		    !!(r->met & READY(i)));
	}
}

static void put_ready(struct metrics_buf *p, const struct readiness *host,
		      const struct metered *ports, size_t count)
{
	put_family(p, "ready");
	put_readiness(p, NULL, host);
	for (size_t k = 0; k < count; k++)
		put_readiness(p, ports[k].port, &ports[k].readiness);
}

static void put_symptoms(struct metrics_buf *p, const struct severities *s,
			 const struct metered *ports, size_t count)
{
	put_family(p, "symptom_active");
	for (size_t i = 0; i < symptoms_count; i++) {
		enum severity severity = symptom_severity_of(&symptoms[i], s);

		for (size_t k = 0; k < count; k++) {
			if (!ports[k].sample || severity == SEVERITY_IGNORE)
				continue;
			put(p, "losslessctl_symptom_active{");
			put_label(p, "netdev", ports[k].port);
			put(p, ",symptom=\"%s\",severity=\"%s\"} %d\n", symptoms[i].name,
			    severity_name(severity), has_symptom(&ports[k], &symptoms[i]));
		}
	}
}

static void put_value(struct metrics_buf *p, const struct counter *c, uint64_t value)
{
	if (c->scale < 1)
		put(p, "} %.6f\n", (double)value * c->scale);
	else
		put(p, "} %llu\n", (unsigned long long)value);
}

static const char *index_label(enum counter_id id)
{
	return id >= COUNTERS_PER_CLASS && id < COUNTERS_PER_CLASS_END ? "traffic_class"
								       : "priority";
}

static void put_counter(struct metrics_buf *p, const struct metered *m, enum counter_id id,
			int prio)
{
	const struct counter *c = &counters[id];
	size_t slot = counter_slot(id, prio < 0 ? 0 : (unsigned)prio);

	if (!m->sample || !m->sample->has[slot])
		return;
	put_text(p, "losslessctl_");
	put_text(p, c->family);
	put_text(p, "{");
	put_label(p, "netdev", m->port);
	if (c->labels) {
		put_text(p, ",");
		put_text(p, c->labels);
	}
	if (prio >= 0)
		put(p, ",%s=\"%d\"", index_label(id), prio);
	put_value(p, c, m->sample->value[slot]);
}

static void put_row(struct metrics_buf *p, const struct metered *ports, size_t count,
		    enum counter_id id)
{
	for (size_t k = 0; k < count; k++)
		for (int prio = id < COUNTERS_PER_PRIO ? 0 : -1;
		     prio < (id < COUNTERS_PER_PRIO ? PRIOS : 0); prio++)
			put_counter(p, &ports[k], id, prio);
}

static bool is_of_family(enum counter_id id, const char *family)
{
	return counters[id].family && strcmp(counters[id].family, family) == 0;
}

/* Groups the lines by family, as the text format requires. */
static void put_counters(struct metrics_buf *p, const struct metered *ports, size_t count)
{
	for (size_t i = 0; i < metric_families_count; i++) {
		const char *family = metric_families[i].name;
		bool announced = false;

		for (unsigned id = 0; id < COUNTER_COUNT; id++) {
			if (!is_of_family(id, family))
				continue;
			if (!announced)
				put_family(p, family);
			announced = true;
			put_row(p, ports, count, id);
		}
	}
}

size_t metrics_room(size_t ports)
{
	return LINE_ROOM * (2 * COUNTER_COUNT + 32 + READY_COUNT +
			    ports * (COUNTER_SLOTS + SYMPTOMS_MAX + LINTS_MAX + READY_COUNT +
				     2 * SETTING_COUNT + 19));
}

bool metrics_write(char *buf, size_t size, const struct metered_host *host,
		   const struct metered *ports, size_t count)
{
	struct metrics_buf p = { buf, size, 0, false };

	put_host(&p, host);
	put_port_info(&p, ports, count);
	put_figures(&p, ports, count);
	put_drift(&p, ports, count);
	put_findings(&p, host->severities, ports, count);
	put_ready(&p, &host->readiness, ports, count);
	put_symptoms(&p, host->severities, ports, count);
	put_counters(&p, ports, count);
	return !p.full;
}
