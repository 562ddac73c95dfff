-- The newest verdict of each pair of hosts, path and direction.
--   host, peer_host, path, direction
--   verdict      in_class, rewritten and others: `losslessctl explain probe`
--   run_count    runs with this verdict
--   observed_at  the newest of them
-- A path is probed anew between two ports: the verdict on another path or port stays, until that one
-- is. Where nothing could be tried (no path), no earlier verdict between these ports stays.
CREATE VIEW probe_matrix AS
SELECT host, peer_host, path, direction, verdict, COUNT(*) AS run_count, MAX(observed_at) AS observed_at
FROM (SELECT host, peer_host, path, direction, verdict, observed_at,
		MAX(observed_at) OVER (PARTITION BY host, port, peer_host, peer_port, path) AS path_at,
		MAX(CASE WHEN path = '' THEN observed_at END) OVER
			(PARTITION BY host, port, peer_host, peer_port) AS untried_at,
		MAX(observed_at) OVER (PARTITION BY host, peer_host) AS pair_at
	FROM probe_runs) AS probed
WHERE observed_at = CASE WHEN path = '' THEN pair_at ELSE path_at END
	AND observed_at >= COALESCE(untried_at, '')
GROUP BY host, peer_host, path, direction, verdict;
