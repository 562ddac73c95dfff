#include "sections.h"

#include "database.h"

/* clang-format off: one paragraph per section */
const struct section sections[] = {
	{ "verdicts", "Hosts", "No host has reported yet.", NULL,
	  "SELECT COALESCE(verdict, 'never verified') AS verdict, COUNT(*) AS host_count, "
	  "SUM(port_count) AS port_count, SUM(drifted_port_count) AS drifted_port_count, "
	  "MAX(last_seen_at) AS newest_at FROM hosts GROUP BY verdict ORDER BY host_count DESC, "
	  "1" },
	{ "silent_hosts", "Silent hosts", "No host is silent.", "silent_hosts",
	  "SELECT host, last_seen_at FROM silent_hosts WHERE last_seen_at IS NULL OR last_seen_at "
	  "< ?1 "
	  "UNION SELECT host, last_seen_at FROM hosts WHERE last_seen_at < ?1 ORDER BY 2, 1" },
	{ "deadlock_suspects", "Switches with a suspected PFC deadlock", NULL, "deadlock_suspects",
	  "SELECT switch_name, switch_id, host_count, port_count, last_seen_at "
	  "FROM deadlock_suspects ORDER BY host_count DESC, 1, 2" },
	{ "symptoms", "Symptoms by switch", "No host has a symptom.", "current_symptoms",
	  "SELECT switch_name, symptom, severity, host_count, port_count, example_host "
	  "FROM switch_symptoms ORDER BY severity = 'critical' DESC, severity = 'warning' DESC, "
	  "host_count DESC, switch_name, symptom" },
	{ "drift", "Settings that are not in sync", "No setting has drifted.", "current_drift",
	  "SELECT policy_name AS policy, setting, status, SUM(contested) AS contested_count, "
	  "COUNT(DISTINCT host_id) AS host_count, COUNT(*) AS port_count, MIN(host) AS "
	  "example_host "
	  "FROM current_drift GROUP BY policy_name, setting, status "
	  "ORDER BY status = 'drift' DESC, host_count DESC, 1, 2, 3" },
	{ "outliers", "Outliers: not what at least 60 % of the ports of their policy have",
	  "No host is an outlier.", "outliers",
	  "SELECT policy_name AS policy, setting, value, majority_value AS majority, "
	  "majority_percent, COUNT(DISTINCT host_id) AS host_count, MIN(host) AS example_host "
	  "FROM outliers GROUP BY policy_name, setting, value, majority_value, majority_percent "
	  "ORDER BY host_count DESC, 1, 2, 3" },
	{ "pfc_mismatches", "PFC: host and switch disagree", "Hosts and switches agree on PFC.",
	  "pfc_matrix",
	  "SELECT switch_name, switch_id, pfc AS host_pfc, switch_pfc, link_count, host_count, "
	  "example_host FROM pfc_matrix WHERE differs = 1 ORDER BY link_count DESC, 1, 2, 3, 4" },
	{ "readiness", "Checks of ready that hosts do not pass", NULL, "readiness",
	  "SELECT check_name, status, host_count, example_host FROM readiness "
	  "ORDER BY status = 'not_ready' DESC, host_count DESC, 1" },
	{ "probes", "Probes that were not in class", NULL, "probe_matrix",
	  "SELECT path, direction, verdict, COUNT(*) AS pair_count, MIN(host || ' -> ' || "
	  "peer_host) "
	  "AS example FROM probe_matrix WHERE verdict <> 'in_class' GROUP BY path, direction, "
	  "verdict "
	  "ORDER BY pair_count DESC, 1, 2, 3" },
	{ "groups", "Hosts that are configured alike", NULL, "state_groups",
	  "SELECT policy_name AS policy, SUBSTR(state_hash, 1, 12) AS state, host_count, "
	  "drifted_host_count, example_host, newest_at FROM state_groups "
	  "ORDER BY host_count DESC, 1, 2" },
	{ "rollout", "Versions", NULL, "rollout",
	  "SELECT losslessctl_version AS version, policy_name AS policy, policy_generation AS "
	  "generation, SUBSTR(policy_sha256, 1, 12) AS policy_sha256, host_count, "
	  "in_sync_host_count FROM rollout ORDER BY host_count DESC, 1, 2, 3, 4" },
	{ "shared_ids", "Hosts that share a machine-id", NULL, "shared_ids",
	  "SELECT host_id, name_count, first_name, last_name FROM shared_ids "
	  "ORDER BY name_count DESC, 1" },
	{ "rejected_documents", "Documents that were set aside", NULL, "rejected_documents",
	  "SELECT source, reason FROM rejected_documents ORDER BY source, reason" },
	{ NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

static bool bind(sqlite3_stmt *stmt, int at, const char *text)
{
	return at > sqlite3_bind_parameter_count(stmt) ||
	       sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

bool section_prepare(const struct section *s, sqlite3 *db, const struct fleet_scope *scope,
		     sqlite3_stmt **ret, struct err *err)
{
	return database_prepare(db, s->sql, ret, err) &&
	       ((bind(*ret, 1, scope->silent_before) && bind(*ret, 2, scope->since)) ||
		database_failed(db, err));
}
