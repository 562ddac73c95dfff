-- Settings that are not in sync in the newest report of each host, critical findings, ports that
-- are gone and rules without their ports.
--   host_id, host, port, policy_name
--   setting          or the finding's lint, present, rules
--   status           drift, unknown, unsupported
--   contested        1: something undoes the agent's repairs
--   desired, actual  compact JSON
--   observed_at
CREATE VIEW current_drift AS
SELECT r.host_id, r.host, s.port, r.policy_name, s.setting, s.status, s.contested, s.desired,
	s.actual, r.observed_at
FROM latest_reports AS n
JOIN reports AS r ON r.report_id = n.report_id
JOIN setting_reports AS s ON s.report_id = n.report_id
WHERE n.aspect = 'state';
