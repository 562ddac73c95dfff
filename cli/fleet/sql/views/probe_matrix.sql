-- The newest verdict of each pair of hosts, path and direction.
--   host, peer_host, path, direction
--   verdict      in_class, rewritten and others: `losslessctl explain probe`
--   run_count    runs of that newest probe with this verdict
--   observed_at
CREATE VIEW probe_matrix AS
SELECT p.host, p.peer_host, p.path, p.direction, p.verdict, COUNT(*) AS run_count, p.observed_at
FROM probe_runs AS p
JOIN (SELECT host, peer_host, MAX(observed_at) AS observed_at FROM probe_runs
	GROUP BY host, peer_host) AS newest
	ON newest.host = p.host AND newest.peer_host = p.peer_host
	AND newest.observed_at = p.observed_at
GROUP BY p.host, p.peer_host, p.path, p.direction, p.verdict, p.observed_at;
