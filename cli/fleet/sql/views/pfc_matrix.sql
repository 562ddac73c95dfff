-- Lossless priorities of hosts beside those of the switch ports they lead to, by switch.
--   switch_id, switch_name
--   pfc, switch_pfc    priorities such as '3'; '' for none; NULL: unknown
--   differs            1: host and switch disagree; NULL: one of them is unknown
--   link_count, host_count
--   example_host       the first of them by name
CREATE VIEW pfc_matrix AS
SELECT l.switch_id, MIN(l.switch_name) AS switch_name, l.pfc, l.switch_pfc,
	CASE WHEN l.pfc <> l.switch_pfc THEN 1 WHEN l.pfc = l.switch_pfc THEN 0 END AS differs,
	COUNT(*) AS link_count, COUNT(DISTINCT l.host_id) AS host_count, MIN(r.host) AS example_host
FROM links AS l
JOIN reports AS r ON r.report_id = l.report_id
WHERE l.switch_id IS NOT NULL
GROUP BY l.switch_id, l.pfc, l.switch_pfc;
