-- The value that at least 60 of 100 ports of a policy have. A setting without such a
-- value has no row.
--   policy_name, setting, value
--   percent           its share of the ports whose value is known, rounded down
--   port_count        ports that have it
--   known_port_count  ports whose value is known
CREATE VIEW majority AS
SELECT policy_name, setting, value,
	CAST((100 * port_count - (100 * port_count) % known_port_count) / known_port_count AS BIGINT)
		AS percent,
	port_count, known_port_count
FROM known_values
WHERE 100 * port_count >= 60 * known_port_count;
