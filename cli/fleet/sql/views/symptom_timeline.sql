-- Hosts that showed a symptom, day by day.
--   day, symptom, severity
--   host_count, port_count
CREATE VIEW symptom_timeline AS
SELECT SUBSTR(r.observed_at, 1, 10) AS day, s.symptom, s.severity,
	COUNT(DISTINCT r.host_id) AS host_count, COUNT(DISTINCT r.host_id || '/' || s.port) AS port_count
FROM symptom_reports AS s
JOIN reports AS r ON r.report_id = s.report_id
GROUP BY SUBSTR(r.observed_at, 1, 10), s.symptom, s.severity;
