-- Hosts with ports whose value is not that of the majority.
--   policy_name, setting, host_id, host
--   value           the host's
--   majority_value, majority_percent
--   port_count      ports of the host with this value
CREATE VIEW outliers AS
SELECT h.policy_name, v.setting, h.host_id, h.host, v.value, m.value AS majority_value,
	m.percent AS majority_percent, v.port_count
FROM majority AS m
JOIN state_values AS v ON v.setting = m.setting AND v.value <> m.value
JOIN hosts AS h ON h.state_hash = v.state_hash
	AND COALESCE(h.policy_name, '') = COALESCE(m.policy_name, '');
