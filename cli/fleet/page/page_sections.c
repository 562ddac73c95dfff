#include "page_section.h"

/* clang-format off: one paragraph per section */
const struct page_section page_sections[] = {
	{ .chapter = "Configuration",
	  .id = "hosts",
	  .title = "Hosts that need attention",
	  .lead = "Not in sync, never verified, or configured unlike the majority of their "
		  "policy.",
	  .empty = "Every host is in sync and configured like the majority.",
	  .basis = &basis_values,
	  .view = "hosts",
	  .sql = "WITH odd AS (SELECT COALESCE(m.policy_name, ''), v.state_hash FROM majority AS "
		 "m JOIN state_values AS v ON v.setting = m.setting AND v.value <> m.value) "
		 "SELECT host, host_id, policy_name, COALESCE(verdict, 'never_verified') AS "
		 "verdict, drifted_port_count, unknown_port_count, peer_verdict, ready_verdict, "
		 "state_hash, verified_at FROM hosts WHERE verdict IS NOT 'in_sync' OR "
		 "(COALESCE(policy_name, ''), state_hash) IN odd ORDER BY severity_of(verdict) "
		 "DESC, verdict DESC, host, host_id",
	  .is_trouble = true },
	{ .id = "outliers",
	  .title = "Majority and outliers",
	  .lead = "Values that differ from those of at least 60 % of the ports of the policy. A "
		  "setting without such a majority has no outliers.",
	  .empty = "No group of hosts differs from the majority.",
	  .basis = &basis_values,
	  .view = "outliers",
	  .sql = "SELECT m.policy_name, m.setting, m.value AS majority_value, m.percent AS "
		 "majority_percent, v.value, g.host_count, v.port_count * g.host_count AS "
		 "port_count, g.example_host, g.state_hash FROM majority AS m JOIN state_groups "
		 "AS g ON g.policy_name IS m.policy_name JOIN state_values AS v ON v.state_hash "
		 "= g.state_hash AND v.setting = m.setting AND v.value <> m.value ORDER BY "
		 "g.host_count DESC, 1, 2, v.value, g.state_hash",
	  .is_trouble = true },
	{ .id = "groups",
	  .title = "Hosts that are configured alike",
	  .lead = "One row for each state. The largest group of a policy is its norm.",
	  .empty = "No host has reported its state.",
	  .view = "state_groups",
	  .sql = "SELECT policy_name, state_hash, host_count, CAST(100 * host_count / "
		 "SUM(host_count) OVER (PARTITION BY policy_name) AS INTEGER) AS percent, "
		 "drifted_host_count, example_host, newest_at FROM state_groups ORDER BY "
		 "host_count DESC, policy_name, state_hash" },
	{ .id = "drift",
	  .title = "Settings that are not in sync",
	  .lead = "From the newest report of each host.",
	  .empty = "Every setting is in sync.",
	  .basis = &basis_settings,
	  .view = "current_drift",
	  .sql = "SELECT host, port, policy_name, setting, status, contested, desired, actual, "
		 "observed_at FROM current_drift ORDER BY contested DESC, severity_of(status) "
		 "DESC, host, port, setting" },
	{ .id = "drift-by-day",
	  .title = "Drift over time",
	  .lead = "Hosts on which a setting drifted, day by day. A host counts once for each of "
		  "its settings.",
	  .empty = "No host has drifted in this time.",
	  .basis = &basis_verdicts,
	  .view = "drift_timeline",
	  .sql = "SELECT day, policy_name, setting, host_count, port_count FROM drift_timeline "
		 "WHERE ?2 IS NULL OR day >= SUBSTR(?2, 1, 10) ORDER BY day DESC, host_count "
		 "DESC, 2, 3",
	  .is_folded = true,
	  .draw = page_chart_drift },
	{ .id = "changes",
	  .title = "Likely writers of settings",
	  .lead = "Drift that the agents recorded, by setting and likely writer.",
	  .empty = "No agent recorded drift in this time.",
	  .basis = &basis_history,
	  .view = "drift_events",
	  .sql = "SELECT setting, likely_writer, COUNT(DISTINCT host_id) AS host_count, SUM(event "
		 "= 'detected') AS detected_count, SUM(event = 'repaired') AS repaired_count, "
		 "SUM(event = 'contested') AS contested_count, MAX(recorded_at) AS newest_at FROM "
		 "drift_records WHERE ?2 IS NULL OR recorded_at >= SUBSTR(?2, 1, 10) GROUP BY "
		 "setting, likely_writer ORDER BY host_count DESC, setting, likely_writer" },
	{ .chapter = "Fabric",
	  .id = "symptoms",
	  .title = "Symptoms by switch",
	  .lead = "Several hosts with one symptom point to their switch.",
	  .empty = "No host has a symptom.",
	  .basis = &basis_verdicts,
	  .view = "switch_symptoms",
	  .sql = "SELECT switch_name, switch_id, symptom, severity, host_count, port_count, "
		 "example_host FROM switch_symptoms ORDER BY severity_of(severity) DESC, "
		 "host_count DESC, switch_name, switch_id, symptom" },
	{ .id = "symptoms-by-host",
	  .title = "Symptoms by host",
	  .lead = "From the newest report of each host.",
	  .empty = "No host has a symptom.",
	  .basis = &basis_verdicts,
	  .view = "current_symptoms",
	  .sql = "SELECT host, port, symptom, severity, switch_name, switch_port, observed_at "
		 "FROM current_symptoms ORDER BY severity_of(severity) DESC, host, port, symptom" },
	{ .id = "deadlocks",
	  .title = "Suspected PFC deadlocks",
	  .lead = "Two or more hosts behind these switches suspect a deadlock. Read the watchdog "
		  "statistics of the switches.",
	  .empty = "No switch has two hosts that suspect a deadlock.",
	  .basis = &basis_verdicts,
	  .view = "deadlock_suspects",
	  .sql = "SELECT switch_name, switch_id, host_count, port_count, first_seen_at, "
		 "last_seen_at FROM deadlock_suspects ORDER BY host_count DESC, switch_name, "
		 "switch_id",
	  .is_trouble = true },
	{ .id = "symptoms-by-day",
	  .title = "Symptoms over time",
	  .lead = "Hosts that showed a symptom, day by day. A host counts once for each of its "
		  "symptoms.",
	  .empty = "No host showed a symptom in this time.",
	  .basis = &basis_verdicts,
	  .view = "symptom_timeline",
	  .sql = "SELECT day, symptom, severity, host_count, port_count FROM symptom_timeline "
		 "WHERE ?2 IS NULL OR day >= SUBSTR(?2, 1, 10) ORDER BY day DESC, host_count "
		 "DESC, 2, 3",
	  .is_folded = true,
	  .draw = page_chart_symptoms },
	{ .id = "pfc",
	  .title = "PFC of hosts and switches",
	  .lead = "Lossless priorities of hosts beside those that their switch advertises, and "
		  "links that have this pair.",
	  .empty = "No switch was heard.",
	  .view = "pfc_matrix",
	  .sql = "SELECT switch_name, switch_id, pfc, switch_pfc, CASE differs WHEN 1 THEN "
		 "'differs' WHEN 0 THEN 'agrees' ELSE 'unknown' END AS verdict, link_count, "
		 "host_count, example_host FROM pfc_matrix ORDER BY differs = 1 DESC, differs IS "
		 "NULL DESC, link_count DESC, switch_name, switch_id",
	  .draw = page_grid_pfc },
	{ .id = "switches",
	  .title = "Cables by switch",
	  .lead = "Links to each switch, by the verdict of <code>losslessctl peer</code>.",
	  .empty = "No switch was heard.",
	  .view = "cable_map",
	  .sql = "SELECT MIN(switch_name) AS switch_name, switch_id, COUNT(DISTINCT host_id) AS "
		 "host_count, COUNT(*) AS link_count, SUM(verdict IN ('agrees', "
		 "'differs_allowed')) AS agreeing_link_count, SUM(verdict = 'differs') AS "
		 "differing_link_count, SUM(verdict = 'unknown') AS unknown_link_count FROM "
		 "links WHERE switch_id IS NOT NULL GROUP BY switch_id ORDER BY "
		 "differing_link_count DESC, unknown_link_count DESC, switch_name, switch_id" },
	{ .id = "cables",
	  .title = "Cables",
	  .lead = "The cabling: links that differ or are unknown come first.",
	  .empty = "No host has reported its links.",
	  .view = "cable_map",
	  .sql = "SELECT host, port, switch_name, switch_id, switch_port, verdict, observed_at "
		 "FROM cable_map ORDER BY severity_of(verdict) DESC, host, port" },
	{ .chapter = "Jobs",
	  .id = "probes",
	  .title = "Probe results",
	  .lead = "The newest probe of each pair of hosts.",
	  .empty = "No host was probed.",
	  .view = "probe_matrix",
	  .sql = "SELECT host, peer_host, path, direction, verdict, run_count, observed_at FROM "
		 "probe_matrix ORDER BY verdict <> 'in_class' DESC, host, peer_host, path, "
		 "direction, verdict",
	  .draw = page_grid_probes },
	{ .id = "readiness",
	  .title = "Readiness",
	  .lead = "Checks of <code>losslessctl ready</code> that hosts do not pass.",
	  .empty = "Every host passes its checks.",
	  .basis = &basis_ready,
	  .view = "readiness",
	  .sql = "SELECT check_name, status, host_count, example_host FROM readiness ORDER BY "
		 "status = 'not_ready' DESC, host_count DESC, check_name" },
	{ .chapter = "Reports",
	  .id = "silent",
	  .title = "Silent hosts",
	  .lead = "Hosts of the inventory or of earlier reports that have not reported in time.",
	  .empty = "No host is silent.",
	  .view = "silent_hosts",
	  .sql = SILENT_HOSTS " ORDER BY 2, 1",
	  .is_trouble = true },
	{ .id = "old-verdicts",
	  .title = "Old verdicts",
	  .lead = "Hosts that report, whose settings nobody has verified in time.",
	  .empty = "Every verdict is new.",
	  .basis = &basis_new_verdicts,
	  .view = "hosts",
	  .sql = OLD_VERDICTS " ORDER BY 3, 1, 2",
	  .is_trouble = true },
	{ .id = "rollout",
	  .title = "Versions and generations",
	  .lead = "Versions of program and policy during a roll-out.",
	  .empty = "No host has reported.",
	  .view = "rollout",
	  .sql = "SELECT losslessctl_version, policy_name, policy_generation, policy_sha256, "
		 "host_count, CAST(100 * host_count / SUM(host_count) OVER (PARTITION BY "
		 "policy_name) AS INTEGER) AS percent, in_sync_host_count, newest_at FROM "
		 "rollout ORDER BY policy_name, host_count DESC, 1, 3, 4" },
	{ .id = "shared-ids",
	  .title = "Shared machine-ids",
	  .lead = "Several names report under one id: clones of an image that kept its "
		  "machine-id, or a host that was renamed.",
	  .empty = "Every host has an id of its own.",
	  .view = "shared_ids",
	  .sql = "SELECT host_id, name_count, first_name, last_name FROM shared_ids ORDER BY "
		 "name_count DESC, 1",
	  .is_trouble = true },
	{ .id = "rejected",
	  .title = "Documents that were set aside",
	  .lead = "Ingest could not read them.",
	  .empty = "Every document was read.",
	  .view = "rejected_documents",
	  .sql = "SELECT source, reason FROM rejected_documents ORDER BY source, reason",
	  .is_trouble = true },
};
/* clang-format on */

const size_t page_section_count = sizeof(page_sections) / sizeof(page_sections[0]);

static void write_rest(const struct page *p, const struct page_section *s, int64_t rows)
{
	if (rows <= PAGE_ROWS_MOST)
		return;
	fputs("<p class=more>and <b>", p->out);
	number_write(p->out, rows - PAGE_ROWS_MOST);
	fprintf(p->out,
		"</b> more; <code>losslessctl-fleet report --csv %s</code> prints all.</p>\n",
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
