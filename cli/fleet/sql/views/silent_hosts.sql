-- Hosts of the inventory, and others that have reported: when they reported last.
--   host          as the inventory names it, else its name
--   host_id       NULL: it never reported; the newest, where several hosts have this name
--   last_seen_at  NULL: it never reported
-- Who is silent depends on a time: `WHERE last_seen_at IS NULL OR last_seen_at < '...'`.
CREATE VIEW silent_hosts AS
WITH named AS (
	SELECT host AS name, host_id, last_seen_at,
		CASE WHEN host_id IN (SELECT host FROM inventory) THEN 0 ELSE 1 END AS is_listed
	FROM hosts
	UNION ALL
	SELECT host_id, host_id, last_seen_at, 0 FROM hosts WHERE host_id <> host
	UNION ALL
	SELECT host, NULL, NULL, 1 FROM inventory
), placed AS (
	SELECT name, host_id, last_seen_at, MAX(is_listed) OVER (PARTITION BY name) AS is_listed,
		ROW_NUMBER() OVER (PARTITION BY name ORDER BY
			CASE WHEN last_seen_at IS NULL THEN 1 ELSE 0 END, last_seen_at DESC, host_id) AS place
	FROM named
)
SELECT name AS host, host_id, last_seen_at
FROM placed
WHERE place = 1 AND is_listed = 1;
