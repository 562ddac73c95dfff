-- Symptoms in the newest report of each host, with the switch port behind.
--   host_id, host, port, symptom, severity
--   switch_id, switch_name, switch_port  NULL: unknown
--   observed_at
CREATE VIEW current_symptoms AS
SELECT r.host_id, r.host, s.port, s.symptom, s.severity, l.switch_id, l.switch_name, l.switch_port,
	r.observed_at
FROM latest_reports AS n
JOIN reports AS r ON r.report_id = n.report_id
JOIN symptom_reports AS s ON s.report_id = n.report_id
LEFT JOIN links AS l ON l.host_id = r.host_id AND l.port = s.port
WHERE n.aspect = 'state';
