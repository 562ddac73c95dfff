-- Versions of program and policy during a roll-out.
--   losslessctl_version, policy_name, policy_generation, policy_sha256
--   host_count, in_sync_host_count
--   newest_at
CREATE VIEW rollout AS
SELECT losslessctl_version, policy_name, policy_generation, policy_sha256, COUNT(*) AS host_count,
	CAST(SUM(CASE WHEN verdict = 'in_sync' THEN 1 ELSE 0 END) AS BIGINT) AS in_sync_host_count,
	MAX(last_seen_at) AS newest_at
FROM hosts
GROUP BY losslessctl_version, policy_name, policy_generation, policy_sha256;
