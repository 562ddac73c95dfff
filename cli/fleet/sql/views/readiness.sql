-- Checks of ready that hosts do not pass.
--   check_name, status  not_ready, unknown
--   host_count
--   example_host        the first of them by name
CREATE VIEW readiness AS
SELECT f.check_name, f.status, COUNT(DISTINCT f.host_id) AS host_count, MIN(r.host) AS example_host
FROM failed_checks AS f
JOIN reports AS r ON r.report_id = f.report_id
GROUP BY f.check_name, f.status;
