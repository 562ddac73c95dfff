-- Switches behind which two or more hosts suspect a PFC deadlock at once: one host cannot see the
-- cycle, several make it likely. Read the watchdog statistics of these switches.
--   switch_id, switch_name
--   host_count, port_count
--   first_seen_at, last_seen_at  of the hosts' newest reports
CREATE VIEW deadlock_suspects AS
SELECT switch_id, MIN(switch_name) AS switch_name, COUNT(DISTINCT host_id) AS host_count,
	COUNT(DISTINCT host_id || '/' || port) AS port_count, MIN(observed_at) AS first_seen_at,
	MAX(observed_at) AS last_seen_at
FROM current_symptoms
WHERE symptom = 'pause-deadlock-suspected' AND switch_id IS NOT NULL
GROUP BY switch_id
HAVING COUNT(DISTINCT host_id) >= 2;
