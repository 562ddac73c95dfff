-- A line for each host: its newest verify or status, and when anything came of it. A machine that
-- only probes others is no host of the fleet.
--   host_id, host        identity; the name that it reported last
--   verdict              in_sync, drift, symptom, unknown; NULL: it was never verified
--   policy_name, policy_generation, policy_sha256
--                        of the newest verify or status
--   losslessctl_version  that it reported last
--   state_hash           of the newest verify or status, else of the newest show
--   port_count           likewise; NULL: neither came
--   drifted_port_count, unknown_port_count
--                        NULL: it was never verified
--   verified_at          time of the newest verify or status
--   last_seen_at         of any report
--   peer_verdict, ready_verdict
--                        of the newest reports of these kinds
CREATE VIEW hosts AS
SELECT seen.host_id, newest.host, state.verdict, state.policy_name, state.policy_generation,
	state.policy_sha256, newest.losslessctl_version,
	COALESCE(state.state_hash, setup.state_hash) AS state_hash,
	COALESCE(state.port_count, setup.port_count) AS port_count, state.drifted_port_count,
	state.unknown_port_count, state.observed_at AS verified_at, seen.last_seen_at,
	peer.verdict AS peer_verdict, ready.verdict AS ready_verdict
FROM (SELECT host_id, MAX(observed_at) AS last_seen_at,
		SUBSTR(MAX(observed_at || aspect), LENGTH(MAX(observed_at)) + 1) AS newest_aspect,
		MAX(CASE WHEN aspect = 'state' THEN report_id END) AS state_id,
		MAX(CASE WHEN aspect = 'setup' THEN report_id END) AS setup_id,
		MAX(CASE WHEN aspect = 'peer' THEN report_id END) AS peer_id,
		MAX(CASE WHEN aspect = 'ready' THEN report_id END) AS ready_id
	FROM latest_reports
	GROUP BY host_id
	HAVING COUNT(CASE WHEN aspect <> 'probe' THEN 1 END) > 0) AS seen
JOIN latest_reports AS n ON n.host_id = seen.host_id AND n.aspect = seen.newest_aspect
JOIN reports AS newest ON newest.report_id = n.report_id
LEFT JOIN reports AS state ON state.report_id = seen.state_id
LEFT JOIN reports AS setup ON setup.report_id = seen.setup_id
LEFT JOIN reports AS peer ON peer.report_id = seen.peer_id
LEFT JOIN reports AS ready ON ready.report_id = seen.ready_id;
