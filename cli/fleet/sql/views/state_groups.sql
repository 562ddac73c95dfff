-- Hosts that are configured alike, by policy: the largest group is the norm.
--   policy_name         NULL: hosts that were never verified
--   state_hash          NULL: unknown, so these hosts need not be alike
--   host_count
--   drifted_host_count  those of them whose verdict is drift
--   example_host        the first of them by name
--   newest_at           their newest report
CREATE VIEW state_groups AS
SELECT policy_name, state_hash, COUNT(*) AS host_count,
	CAST(SUM(CASE WHEN verdict = 'drift' THEN 1 ELSE 0 END) AS BIGINT) AS drifted_host_count,
	MIN(host) AS example_host, MAX(last_seen_at) AS newest_at
FROM hosts
GROUP BY policy_name, state_hash;
