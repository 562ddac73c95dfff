-- Hosts of the inventory, and when they reported last.
--   host          as the inventory names it
--   host_id       NULL: it never reported
--   last_seen_at  likewise
-- Who is silent depends on a time: `WHERE last_seen_at IS NULL OR last_seen_at < '...'`.
CREATE VIEW silent_hosts AS
SELECT i.host, MAX(h.host_id) AS host_id, MAX(h.last_seen_at) AS last_seen_at
FROM inventory AS i
LEFT JOIN hosts AS h ON h.host = i.host OR h.host_id = i.host
GROUP BY i.host;
