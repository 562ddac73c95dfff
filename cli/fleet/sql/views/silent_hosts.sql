-- Hosts of the inventory, and others that have reported: when they reported last.
--   host          as the inventory names it, else its name
--   host_id       NULL: it never reported; the newest, where several hosts have this name
--   last_seen_at  NULL: it never reported
-- Who is silent depends on a time: `WHERE last_seen_at IS NULL OR last_seen_at < '...'`.
CREATE VIEW silent_hosts AS
SELECT host, host_id, last_seen_at
FROM (SELECT e.host, h.host_id, h.last_seen_at, ROW_NUMBER() OVER
		(PARTITION BY e.host ORDER BY h.last_seen_at DESC, h.host_id) AS place
	FROM (SELECT host FROM inventory
		UNION
		SELECT host FROM hosts WHERE host_id NOT IN (SELECT host FROM inventory)) AS e
	LEFT JOIN (SELECT host AS name, host_id, last_seen_at FROM hosts
		UNION ALL
		SELECT host_id AS name, host_id, last_seen_at FROM hosts WHERE host_id <> host) AS h
		ON h.name = e.host) AS placed
WHERE place = 1;
