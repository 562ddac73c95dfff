-- How many ports of a policy have which value of a setting.
--   policy_name, setting, value
--   port_count, host_count  ports and hosts that have it
--   known_port_count        ports of the policy whose value of the setting is known
CREATE VIEW known_values AS
WITH states AS (
	SELECT policy_name, state_hash, COUNT(*) AS host_count
	FROM hosts
	WHERE state_hash IS NOT NULL
	GROUP BY policy_name, state_hash
), counted AS (
	SELECT s.policy_name, v.setting, v.value,
		CAST(SUM(v.port_count * s.host_count) AS BIGINT) AS port_count,
		CAST(SUM(s.host_count) AS BIGINT) AS host_count
	FROM states AS s
	JOIN state_values AS v ON v.state_hash = s.state_hash
	GROUP BY s.policy_name, v.setting, v.value
)
SELECT policy_name, setting, value, port_count, host_count,
	CAST(SUM(port_count) OVER (PARTITION BY policy_name, setting) AS BIGINT) AS known_port_count
FROM counted;
