#include "metrics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/sanitize.h"

#define LINE_ROOM 192

struct page {
	char *text;
	size_t size, used;
	bool full;
};

static void __attribute__((format(printf, 2, 3))) put(struct page *p, const char *fmt, ...)
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

/* Appends plain text, which is most of a page. */
static void put_text(struct page *p, const char *text)
{
	size_t length = strlen(text);

	if (length >= p->size - p->used) {
		p->full = true;
		return;
	}
	memcpy(p->text + p->used, text, length + 1);
	p->used += length;
}

/* Appends a label; its value is sanitized and escaped. */
static void put_label(struct page *p, const char *key, const char *value)
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

static void put_family(struct page *p, const char *name, const char *type, const char *help)
{
	put(p, "# HELP losslessctl_%s %s\n# TYPE losslessctl_%s %s\n", name, help, name, type);
}

static void put_host(struct page *p, const struct metered_host *h)
{
	put_family(p, "build_info", "gauge", "The version that runs.");
	put(p, "losslessctl_build_info{");
	put_label(p, "version", h->version);
	put(p, "} 1\n");
	put_family(p, "policy_info", "gauge", "The policy that the ports are held to.");
	put(p, "losslessctl_policy_info{");
	put_label(p, "policy", h->policy);
	put(p, ",");
	put_label(p, "sha256", h->sha256);
	if (h->generation)
		put(p, ",generation=\"%llu\"", (unsigned long long)h->generation);
	put(p, "} 1\n");
	put_family(p, "policy_last_reload_successful", "gauge",
		   "Whether the last reload of the policy was taken.");
	put(p, "losslessctl_policy_last_reload_successful %d\n", h->reloaded);
	put_family(p, "run_unfinished", "gauge",
		   "Whether a run that changed ports did not end, or has not ended yet.");
	put(p, "losslessctl_run_unfinished %d\n", h->unfinished);
	put_family(p, "policy_rules_unmet", "gauge",
		   "Rules of the policy that want ports which this host does not have.");
	put(p, "losslessctl_policy_rules_unmet %zu\n", h->unmet);
	if (!h->verified_at_s)
		return;
	put_family(p, "last_verify_timestamp_seconds", "gauge",
		   "When the settings were last read and judged.");
	put(p, "losslessctl_last_verify_timestamp_seconds %llu\n",
	    (unsigned long long)h->verified_at_s);
}

static uint64_t is_compliant(const struct metered *m)
{
	return !m->drifted && !m->unknown && !m->errors;
}

static uint64_t in_sync(const struct metered *m)
{
	return m->in_sync;
}

static uint64_t drifted(const struct metered *m)
{
	return m->drifted;
}

static uint64_t unknown(const struct metered *m)
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

/* Metrics of a port other than kernel counters. The row with `help` begins a family. */
struct figure {
	const char *name, *type, *help;
	const char *label, *value; /* or NULL */
	uint64_t (*of)(const struct metered *m);
};

/* clang-format off: one row per metric */
static const struct figure figures[] = {
	{ "port_carrier", "gauge", "Whether the port has a link.", NULL, NULL, has_carrier },
	{ "compliant", "gauge",
	  "Whether every setting is as the policy says, and no lint of severity error is broken.",
	  NULL, NULL, is_compliant },
	{ "items", "gauge", "Settings that the policy speaks of, by what they are found to be.",
	  "status", "ok", in_sync },
	{ "items", NULL, NULL, "status", "drift", drifted },
	{ "items", NULL, NULL, "status", "unknown", unknown },
	{ "drifts_total", "counter", "Settings that were found to have drifted.", NULL, NULL,
	  drifts },
	{ "repairs_total", "counter", "Settings that the agent put right.", NULL, NULL, repairs },
	{ "repair_failures_total", "counter", "Repairs that failed, by how they left the port.",
	  "outcome", "rolled_back", rolled_back },
	{ "repair_failures_total", NULL, NULL, "outcome", "stranded", rollback_failed },
};
/* clang-format on */

static void put_figures(struct page *p, const struct metered *ports, size_t count)
{
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const struct figure *f = &figures[i];

		if (f->help)
			put_family(p, f->name, f->type, f->help);
		for (size_t k = 0; k < count; k++) {
			if (!ports[k].compared)
				continue;
			put(p, "losslessctl_%s{", f->name);
			put_label(p, "netdev", ports[k].port);
			if (f->label)
				put(p, ",%s=\"%s\"", f->label, f->value);
			put(p, "} %llu\n", (unsigned long long)f->of(&ports[k]));
		}
	}
}

/* Omit an unknown speed, as of a port without a link. */
static void put_speeds(struct page *p, const struct metered *ports, size_t count)
{
	put_family(p, "port_speed_bytes_per_second", "gauge",
		   "Speed of the link, in bytes (node_network_speed_bytes has the same unit).");
	for (size_t k = 0; k < count; k++) {
		if (!ports[k].compared || !ports[k].speed_mbps)
			continue;
		put(p, "losslessctl_port_speed_bytes_per_second{");
		put_label(p, "netdev", ports[k].port);
		put(p, "} %llu\n", ports[k].speed_mbps * (1000000ULL / 8));
	}
}

/* Writes a line only while a setting drifts: most hosts have none. */
static void put_drift_of(struct page *p, const struct metered *m)
{
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		enum drift_state s = drift_state(m->drift, k);

		if (s != DRIFT_DRIFTED && s != DRIFT_CONTESTED)
			continue;
		put_text(p, "losslessctl_drift{");
		put_label(p, "netdev", m->port);
		put(p, ",knob=\"%s\",state=\"%s\"} 1\n", settings[k].path, drift_state_name(s));
	}
}

static void put_drift(struct page *p, const struct metered *ports, size_t count)
{
	put_family(p, "drift", "gauge", "A setting that has drifted; only while it does.");
	for (size_t k = 0; k < count; k++)
		if (ports[k].compared && ports[k].drift)
			put_drift_of(p, &ports[k]);
}

static bool complains(const struct metered *m, const struct symptom *s)
{
	for (size_t i = 0; i < m->active_symptoms_count; i++)
		if (m->active_symptoms[i].symptom == s)
			return true;
	return false;
}

/* Writes a line only while there is a finding. */
static void put_findings(struct page *p, const struct severities *s, const struct metered *ports,
			 size_t count)
{
	put_family(p, "finding_active", "gauge",
		   "A lint that the port's settings break; only while they do.");
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

static void put_symptoms(struct page *p, const struct severities *s, const struct metered *ports,
			 size_t count)
{
	put_family(p, "symptom", "gauge", "Whether the counters show this symptom.");
	for (size_t i = 0; i < symptoms_count; i++) {
		enum symptom_severity severity = symptom_severity_of(&symptoms[i], s);

		for (size_t k = 0; k < count; k++) {
			if (!ports[k].sample || severity == SYMPTOM_IGNORE)
				continue;
			put(p, "losslessctl_symptom{");
			put_label(p, "netdev", ports[k].port);
			put(p, ",symptom=\"%s\",severity=\"%s\"} %d\n", symptoms[i].name,
			    symptom_severity_name(severity), complains(&ports[k], &symptoms[i]));
		}
	}
}

static void put_value(struct page *p, const struct counter *c, uint64_t value)
{
	if (c->scale < 1)
		put(p, "} %.6f\n", (double)value * c->scale);
	else
		put(p, "} %llu\n", (unsigned long long)value);
}

static void put_counter(struct page *p, const struct metered *m, enum counter_id id, int prio)
{
	const struct counter *c = &counters[id];
	size_t slot = counter_slot(id, prio < 0 ? 0 : (unsigned)prio);

	if (!m->sample || !m->sample->has[slot])
		return;
	put_text(p, "losslessctl_");
	put_text(p, c->family);
	put_text(p, "{");
	put_label(p, "netdev", m->port);
	if (c->source == FROM_RDMA) {
		put_text(p, ",");
		put_label(p, "device", m->device);
	}
	if (c->labels) {
		put_text(p, ",");
		put_text(p, c->labels);
	}
	if (prio >= 0)
		put(p, ",priority=\"%d\"", prio);
	put_value(p, c, m->sample->value[slot]);
}

static void put_row(struct page *p, const struct metered *ports, size_t count, enum counter_id id)
{
	for (size_t k = 0; k < count; k++)
		for (int prio = id < COUNTERS_PER_PRIO ? 0 : -1;
		     prio < (id < COUNTERS_PER_PRIO ? PRIOS : 0); prio++)
			put_counter(p, &ports[k], id, prio);
}

/* True if an earlier row has the same family. */
static bool is_told(enum counter_id id)
{
	for (unsigned i = 0; i < id; i++)
		if (counters[i].family && strcmp(counters[i].family, counters[id].family) == 0)
			return true;
	return false;
}

/* Groups the lines by family, as the text format requires. */
static void put_counters(struct page *p, const struct metered *ports, size_t count)
{
	for (unsigned id = 0; id < COUNTER_COUNT; id++) {
		const struct counter *c = &counters[id];
		const char *family = c->family;

		if (!family || is_told(id))
			continue;
		put_family(p, family, c->is_gauge ? "gauge" : "counter", c->doc);
		for (unsigned i = id; i < COUNTER_COUNT; i++)
			if (counters[i].family && strcmp(counters[i].family, family) == 0)
				put_row(p, ports, count, i);
	}
}

size_t metrics_room(size_t ports)
{
	return LINE_ROOM *
	       (2 * COUNTER_COUNT + 32 +
		ports * (COUNTER_SLOTS + SYMPTOMS_MAX + LINTS_MAX + SETTING_COUNT + 16));
}

bool metrics_write(char *buf, size_t size, const struct metered_host *host,
		   const struct metered *ports, size_t count)
{
	struct page p = { buf, size, 0, false };

	put_host(&p, host);
	put_figures(&p, ports, count);
	put_speeds(&p, ports, count);
	put_drift(&p, ports, count);
	put_findings(&p, host->severities, ports, count);
	put_symptoms(&p, host->severities, ports, count);
	put_counters(&p, ports, count);
	return !p.full;
}
