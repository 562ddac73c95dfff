#include "sections.h"

#include <stddef.h>

#include "scope.h"

/* clang-format off: one paragraph per section */
const struct section sections[] = {
	{ .key = "verdicts",
	  .title = "Hosts",
	  .empty = "No host has reported yet.",
	  .more = "hosts",
	  .sql = "SELECT COALESCE(verdict, 'never_verified') AS verdict, COUNT(*) AS "
		 "host_count, SUM(port_count) AS port_count, SUM(drifted_port_count) AS "
		 "drifted_port_count, MAX(last_seen_at) AS newest_at FROM hosts GROUP BY "
		 "verdict ORDER BY host_count DESC, 1" },
	{ .key = "silent_hosts",
	  .title = "Silent hosts",
	  .empty = "No host is silent.",
	  .more = "silent_hosts",
	  .sql = SILENT_HOSTS " ORDER BY 2, 1" },
	{ .key = "deadlock_suspects",
	  .title = "Switches with a suspected PFC deadlock",
	  .more = "deadlock_suspects",
	  .sql = "SELECT switch_name, switch_id, host_count, port_count, last_seen_at FROM "
		 "deadlock_suspects ORDER BY host_count DESC, 1, 2" },
	{ .key = "symptoms",
	  .title = "Symptoms by switch",
	  .empty = "No host reports a symptom.",
	  .more = "current_symptoms",
	  .sql = "SELECT switch_name, symptom, severity, host_count, port_count, example_host "
		 "FROM switch_symptoms ORDER BY severity = 'critical' DESC, severity = "
		 "'warning' DESC, host_count DESC, switch_name, symptom" },
	{ .key = "settings",
	  .title = "Settings that are not in sync",
	  .empty = "Every setting is in sync.",
	  .basis = "hosts WHERE verdict IS NOT NULL",
	  .unknown = "Settings: no host has reported `verify` or its status.",
	  .more = "current_drift",
	  .sql = "SELECT policy_name, setting, status, SUM(contested) AS contested_count, "
		 "COUNT(DISTINCT host_id) AS host_count, COUNT(*) AS port_count, MIN(host) AS "
		 "example_host FROM current_drift GROUP BY policy_name, setting, status ORDER "
		 "BY status = 'drift' DESC, host_count DESC, 1, 2, 3" },
	{ .key = "outliers",
	  .title = "Outliers: not the value of at least 60 % of the ports of their policy",
	  .empty = "No host is an outlier.",
	  .basis = "state_values",
	  .unknown = "Outliers: no host has reported `show` or `verify --all`.",
	  .more = "outliers",
	  .sql = "SELECT policy_name, setting, value, majority_value, majority_percent, "
		 "COUNT(DISTINCT host_id) AS host_count, MIN(host) AS example_host FROM "
		 "outliers GROUP BY policy_name, setting, value, majority_value, "
		 "majority_percent ORDER BY host_count DESC, 1, 2, 3" },
	{ .key = "pfc_mismatches",
	  .title = "PFC: host and switch disagree",
	  .empty = "No host disagrees with its switch on PFC.",
	  .basis = "links",
	  .unknown = "PFC of switches: no host has reported `peer`.",
	  .more = "pfc_matrix",
	  .sql = "SELECT switch_name, switch_id, pfc, switch_pfc, link_count, host_count, "
		 "example_host FROM pfc_matrix WHERE differs = 1 ORDER BY link_count DESC, 1, "
		 "2, 3, 4" },
	{ .key = "readiness",
	  .title = "Checks of ready that hosts do not pass",
	  .more = "readiness",
	  .sql = "SELECT check_name, status, host_count, example_host FROM readiness ORDER BY "
		 "status = 'not_ready' DESC, host_count DESC, 1" },
	{ .key = "probes",
	  .title = "Probes that were not in class",
	  .more = "probe_matrix",
	  .sql = "SELECT path, direction, verdict, COUNT(*) AS pair_count, MIN(host || ' -> ' "
		 "|| peer_host) AS example_pair FROM probe_matrix WHERE verdict <> 'in_class' "
		 "GROUP BY path, direction, verdict ORDER BY pair_count DESC, 1, 2, 3" },
	{ .key = "groups",
	  .title = "Hosts that are configured alike",
	  .more = "state_groups",
	  .sql = "SELECT policy_name, state_hash, host_count, drifted_host_count, "
		 "example_host, newest_at FROM state_groups ORDER BY host_count DESC, 1, 2" },
	{ .key = "rollout",
	  .title = "Versions",
	  .more = "rollout",
	  .sql = "SELECT losslessctl_version, policy_name, policy_generation, policy_sha256, "
		 "host_count, in_sync_host_count FROM rollout ORDER BY host_count DESC, 1, 2, "
		 "3, 4" },
	{ .key = "drift_days",
	  .title = "Drift by day",
	  .more = "drift_timeline",
	  .sql = "SELECT day, policy_name, setting, host_count, port_count FROM drift_timeline "
		 "WHERE day >= SUBSTR(COALESCE(?2, ''), 1, 10) ORDER BY day DESC, host_count "
		 "DESC, 2, 3" },
	{ .key = "shared_ids",
	  .title = "Hosts that share a machine-id",
	  .more = "shared_ids",
	  .sql = "SELECT host_id, name_count, first_name, last_name FROM shared_ids ORDER BY "
		 "name_count DESC, 1" },
	{ .key = "rejected_documents",
	  .title = "Documents that were set aside",
	  .more = "rejected_documents",
	  .sql = "SELECT source, reason FROM rejected_documents ORDER BY source, reason" },
	{ .key = NULL },
};
/* clang-format on */
