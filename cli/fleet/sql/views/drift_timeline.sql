-- Hosts on which a setting drifted, day by day, as verify and the agents reported it.
--   day          YYYY-MM-DD, UTC
--   policy_name, setting
--   host_count, port_count
CREATE VIEW drift_timeline AS
SELECT SUBSTR(r.observed_at, 1, 10) AS day, r.policy_name, s.setting,
	COUNT(DISTINCT r.host_id) AS host_count, COUNT(DISTINCT r.host_id || '/' || s.port) AS port_count
FROM setting_reports AS s
JOIN reports AS r ON r.report_id = s.report_id
WHERE s.status = 'drift'
GROUP BY SUBSTR(r.observed_at, 1, 10), r.policy_name, s.setting;
