-- The cabling.
--   host_id, host, port
--   switch_id, switch_name, switch_port  NULL: no LLDP was heard
--   verdict                              of peer for this port
--   observed_at
CREATE VIEW cable_map AS
SELECT l.host_id, r.host, l.port, l.switch_id, l.switch_name, l.switch_port, l.verdict,
	r.observed_at
FROM links AS l
JOIN reports AS r ON r.report_id = l.report_id;
