-- Hosts with ports whose value is not that of the majority.
--   policy_name, setting, host_id, host
--   value           the host's
--   majority_value, majority_percent
--   port_count      ports of the host with this value
CREATE VIEW outliers AS
WITH deviating AS (
	SELECT DISTINCT m.policy_name, v.setting, v.state_hash, v.value, m.value AS majority_value,
		m.percent AS majority_percent, v.port_count
	FROM majority AS m
	JOIN state_values AS v ON v.setting = m.setting AND v.value <> m.value
)
SELECT d.policy_name, d.setting, h.host_id, h.host, d.value, d.majority_value, d.majority_percent,
	d.port_count
FROM hosts AS h
JOIN deviating AS d ON d.state_hash = h.state_hash
	AND COALESCE(d.policy_name, '') = COALESCE(h.policy_name, '');
