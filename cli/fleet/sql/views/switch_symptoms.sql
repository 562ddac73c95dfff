-- Current symptoms by switch: several hosts with one symptom point to their switch.
--   switch_id, switch_name  NULL: unknown
--   symptom, severity
--   host_count, port_count
--   example_host            the first of them by name
CREATE VIEW switch_symptoms AS
SELECT switch_id, MIN(switch_name) AS switch_name, symptom, severity,
	COUNT(DISTINCT host_id) AS host_count, COUNT(DISTINCT host_id || '/' || port) AS port_count,
	MIN(host) AS example_host
FROM current_symptoms
GROUP BY switch_id, symptom, severity;
