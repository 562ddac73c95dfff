#include "page_sections.h"

#include "page_chart.h"
#include "page_grid.h"
#include "page_table.h"
#include "page_text.h"

/* clang-format off: one paragraph per section */
const struct page_section page_sections[] = {
	{ "Configuration", "hosts", "Hosts that need attention",
	  "Not in sync, never verified, or configured unlike the majority of their policy.",
	  "Every host is in sync and configured like the majority.", "hosts",
	  "WITH odd AS (SELECT COALESCE(m.policy_name, ''), v.state_hash FROM majority AS m "
	  "JOIN state_values AS v ON v.setting = m.setting AND v.value <> m.value) "
	  "SELECT host, host_id, policy_name, COALESCE(verdict, 'never_verified') AS verdict, "
	  "drifted_port_count, unknown_port_count, peer_verdict, ready_verdict, state_hash, "
	  "verified_at "
	  "FROM hosts WHERE verdict IS NOT 'in_sync' OR (COALESCE(policy_name, ''), state_hash) IN "
	  "odd "
	  "ORDER BY verdict = 'symptom' DESC, verdict = 'drift' DESC, verdict = 'unknown' DESC, "
	  "host, host_id",
	  1500, true, false, NULL },
	{ NULL, "outliers", "Majority and outliers",
	  "Values that differ from those of at least 60 % of the ports of the policy. A setting "
	  "without "
	  "such a majority has no outliers.",
	  "No group of hosts differs from the majority.", "outliers",
	  "SELECT m.policy_name, m.setting, m.value AS majority_value, m.percent AS "
	  "majority_percent, "
	  "v.value, g.host_count, v.port_count * g.host_count AS port_count, g.example_host, "
	  "g.state_hash "
	  "FROM majority AS m JOIN state_groups AS g ON g.policy_name IS m.policy_name "
	  "JOIN state_values AS v ON v.state_hash = g.state_hash AND v.setting = m.setting "
	  "AND v.value <> m.value ORDER BY g.host_count DESC, 1, 2, v.value, g.state_hash",
	  500, true, false, NULL },
	{ NULL, "groups", "Hosts that are configured alike",
	  "One row for each state. The largest group of a policy is its norm.",
	  "No host has reported its state.", "state_groups",
	  "SELECT policy_name, state_hash, host_count, "
	  "CAST(100 * host_count / SUM(host_count) OVER (PARTITION BY policy_name) AS INTEGER) AS "
	  "percent, "
	  "drifted_host_count, example_host, newest_at FROM state_groups "
	  "ORDER BY host_count DESC, policy_name, state_hash",
	  500, false, false, NULL },
	{ NULL, "drift", "Settings that are not in sync", "Of the newest report of each host.",
	  "Every setting is in sync.", "current_drift",
	  "SELECT host, port, policy_name, setting, status, contested, desired, actual, "
	  "observed_at "
	  "FROM current_drift ORDER BY contested DESC, status = 'drift' DESC, host, port, setting",
	  1500, false, false, NULL },
	{ NULL, "drift-by-day", "Drift over time",
	  "Hosts on which a setting drifted, day by day. A host counts once for each of its "
	  "settings.",
	  "No host has drifted in this time.", "drift_timeline",
	  "SELECT day, policy_name, setting, host_count, port_count FROM drift_timeline "
	  "WHERE ?2 IS NULL OR day >= SUBSTR(?2, 1, 10) ORDER BY day DESC, host_count DESC, 2, 3",
	  500, false, true, page_chart_drift },
	{ "Fabric", "symptoms", "Symptoms by switch",
	  "Several hosts with one symptom point to their switch.", "No host has a symptom.",
	  "switch_symptoms",
	  "SELECT switch_name, switch_id, symptom, severity, host_count, port_count, example_host "
	  "FROM switch_symptoms ORDER BY severity = 'critical' DESC, severity = 'warning' DESC, "
	  "host_count DESC, switch_name, switch_id, symptom",
	  500, false, false, NULL },
	{ NULL, "symptoms-by-host", "Symptoms by host", "Of the newest report of each host.",
	  "No host has a symptom.", "current_symptoms",
	  "SELECT host, port, symptom, severity, switch_name, switch_port, observed_at "
	  "FROM current_symptoms ORDER BY severity = 'critical' DESC, severity = 'warning' DESC, "
	  "host, port, symptom",
	  500, false, false, NULL },
	{ NULL, "deadlocks", "Suspected PFC deadlocks",
	  "Two or more hosts behind these switches suspect a deadlock. Read the watchdog "
	  "statistics of "
	  "the switches.",
	  "No switch has two hosts that suspect a deadlock.", "deadlock_suspects",
	  "SELECT switch_name, switch_id, host_count, port_count, first_seen_at, last_seen_at "
	  "FROM deadlock_suspects ORDER BY host_count DESC, switch_name, switch_id",
	  500, true, false, NULL },
	{ NULL, "symptoms-by-day", "Symptoms over time",
	  "Hosts that showed a symptom, day by day. A host counts once for each of its symptoms.",
	  "No host showed a symptom in this time.", "symptom_timeline",
	  "SELECT day, symptom, severity, host_count, port_count FROM symptom_timeline "
	  "WHERE ?2 IS NULL OR day >= SUBSTR(?2, 1, 10) ORDER BY day DESC, host_count DESC, 2, 3",
	  500, false, true, page_chart_symptoms },
	{ NULL, "pfc", "PFC of hosts and switches",
	  "Lossless priorities of hosts beside those that their switch advertises, and links that "
	  "have "
	  "this pair.",
	  "No switch was heard.", "pfc_matrix",
	  "SELECT switch_name, switch_id, pfc, switch_pfc, "
	  "CASE differs WHEN 1 THEN 'differs' WHEN 0 THEN 'agrees' ELSE 'unknown' END AS verdict, "
	  "link_count, host_count, example_host FROM pfc_matrix "
	  "ORDER BY differs = 1 DESC, differs IS NULL DESC, link_count DESC, switch_name, "
	  "switch_id",
	  500, false, false, page_grid_pfc },
	{ NULL, "switches", "Cables by switch",
	  "Links to each switch, by the verdict of <code>losslessctl peer</code>.",
	  "No switch was heard.", "cable_map",
	  "SELECT MIN(switch_name) AS switch_name, switch_id, COUNT(DISTINCT host_id) AS "
	  "host_count, "
	  "COUNT(*) AS link_count, SUM(verdict IN ('agrees', 'differs_allowed')) AS "
	  "agreeing_link_count, "
	  "SUM(verdict = 'differs') AS differing_link_count, SUM(verdict = 'unknown') AS "
	  "unknown_link_count "
	  "FROM links WHERE switch_id IS NOT NULL GROUP BY switch_id "
	  "ORDER BY differing_link_count DESC, unknown_link_count DESC, switch_name, switch_id",
	  500, false, false, NULL },
	{ NULL, "cables", "Cables",
	  "Which port leads where: links that differ or are unknown come first.",
	  "No host has reported its links.", "cable_map",
	  "SELECT host, port, switch_name, switch_id, switch_port, verdict, observed_at FROM "
	  "cable_map "
	  "ORDER BY verdict = 'differs' DESC, verdict = 'unknown' DESC, host, port",
	  1500, false, false, NULL },
	{ "Jobs", "probes", "Probes: who reaches whom in which class",
	  "The newest probe of each pair of hosts.", "No host was probed.", "probe_matrix",
	  "SELECT host, peer_host, path, direction, verdict, run_count, observed_at FROM "
	  "probe_matrix "
	  "ORDER BY verdict <> 'in_class' DESC, host, peer_host, path, direction, verdict",
	  500, false, false, page_grid_probes },
	{ NULL, "readiness", "Readiness",
	  "Checks of <code>losslessctl ready</code> that hosts do not pass.",
	  "Every host passes its checks.", "readiness",
	  "SELECT check_name, status, host_count, example_host FROM readiness "
	  "ORDER BY status = 'not_ready' DESC, host_count DESC, check_name",
	  500, false, false, NULL },
	{ "Reports", "silent", "Silent hosts",
	  "Hosts of the inventory or of earlier reports that have not reported in time.",
	  "No host is silent.", "silent_hosts",
	  "SELECT host, last_seen_at FROM silent_hosts WHERE last_seen_at IS NULL OR last_seen_at "
	  "< ?1 "
	  "UNION SELECT host, last_seen_at FROM hosts WHERE last_seen_at < ?1 ORDER BY 2, 1",
	  500, true, false, NULL },
	{ NULL, "rollout", "Versions and generations",
	  "Versions of program and policy during a roll-out.", "No host has reported.", "rollout",
	  "SELECT losslessctl_version, policy_name, policy_generation, policy_sha256, host_count, "
	  "CAST(100 * host_count / SUM(host_count) OVER (PARTITION BY policy_name) AS INTEGER) AS "
	  "percent, "
	  "in_sync_host_count, newest_at FROM rollout ORDER BY policy_name, host_count DESC, 1, 3, "
	  "4",
	  500, false, false, NULL },
	{ NULL, "shared-ids", "Shared machine-ids",
	  "Several names report under one id: clones of an image that kept its machine-id, or a "
	  "host that "
	  "was renamed.",
	  "Every host has an id of its own.", "shared_ids",
	  "SELECT host_id, name_count, first_name, last_name FROM shared_ids ORDER BY name_count "
	  "DESC, 1",
	  500, true, false, NULL },
	{ NULL, "rejected", "Documents that were set aside", "Ingest could not read them.",
	  "Every document was read.", "rejected_documents",
	  "SELECT source, reason FROM rejected_documents ORDER BY source, reason", 500, true, false,
	  NULL },
};
/* clang-format on */

const size_t page_section_count = sizeof(page_sections) / sizeof(page_sections[0]);

static void write_rest(const struct page *p, const struct page_section *s, int64_t rows)
{
	if (rows <= s->most)
		return;
	fputs("<p class=more>and <b>", p->out);
	number_write(p->out, rows - s->most);
	fprintf(p->out,
		"</b> more; <code>losslessctl-fleet sql \"SELECT * FROM %s\"</code> lists "
		"them.</p>\n",
		s->view);
}

static bool write_table(const struct page *p, const struct page_section *s, struct page_count *ret,
			struct err *err)
{
	if (s->is_folded)
		fputs("<details><summary>Table</summary>\n", p->out);
	if (!page_table_write(p, s, ret, err))
		return false;
	write_rest(p, s, ret->rows);
	if (s->is_folded)
		fputs("</details>\n", p->out);
	return true;
}

bool page_section_write(const struct page *p, const struct page_section *s, struct page_count *ret,
			struct err *err)
{
	*ret = (struct page_count){ 0 };
	fprintf(p->out,
		"<section id=%s>\n<header><h2>%s</h2></header>\n"
		"<p class=lead>%s</p>\n",
		s->id, s->title, s->lead);
	if ((s->draw && !s->draw(p, s, err)) || !write_table(p, s, ret, err))
		return false;
	fputs("</section>\n", p->out);
	return true;
}
