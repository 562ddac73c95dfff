-- A line for each host: its newest verify or status, and when anything came of it.
--   host_id, host                identity; the name that it reported last
--   verdict                      in_sync, drift, symptom, unknown; NULL: it was never verified
--   policy_name, policy_generation, policy_sha256, losslessctl_version, state_hash
--   port_count, drifted_port_count, unknown_port_count
--   verified_at                  time of that report
--   last_seen_at                 of any report
--   peer_verdict, ready_verdict  of the newest reports of these kinds
CREATE VIEW hosts AS
SELECT seen.host_id, COALESCE(state.host, newest.host) AS host, state.verdict, state.policy_name,
	state.policy_generation, state.policy_sha256,
	COALESCE(state.losslessctl_version, newest.losslessctl_version) AS losslessctl_version,
	COALESCE(state.state_hash, setup.state_hash) AS state_hash,
	COALESCE(state.port_count, newest.port_count) AS port_count,
	COALESCE(state.drifted_port_count, 0) AS drifted_port_count,
	COALESCE(state.unknown_port_count, 0) AS unknown_port_count,
	state.observed_at AS verified_at, seen.last_seen_at, peer.verdict AS peer_verdict,
	ready.verdict AS ready_verdict
FROM (SELECT host_id, MAX(observed_at) AS last_seen_at, MAX(report_id) AS report_id
	FROM latest_reports GROUP BY host_id) AS seen
JOIN reports AS newest ON newest.report_id = seen.report_id
LEFT JOIN latest_reports AS s ON s.host_id = seen.host_id AND s.aspect = 'state'
LEFT JOIN reports AS state ON state.report_id = s.report_id
LEFT JOIN latest_reports AS u ON u.host_id = seen.host_id AND u.aspect = 'setup'
LEFT JOIN reports AS setup ON setup.report_id = u.report_id
LEFT JOIN latest_reports AS p ON p.host_id = seen.host_id AND p.aspect = 'peer'
LEFT JOIN reports AS peer ON peer.report_id = p.report_id
LEFT JOIN latest_reports AS r ON r.host_id = seen.host_id AND r.aspect = 'ready'
LEFT JOIN reports AS ready ON ready.report_id = r.report_id;
