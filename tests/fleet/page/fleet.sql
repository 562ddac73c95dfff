-- A fleet to draw: the table `size` has the number of hosts, each with 8 ports. 1 % drifted, in
-- five ways; three leaves lost PFC, two suspect a deadlock. The newest report is of 2026-11-24.
CREATE TEMP TABLE host AS
WITH RECURSIVE n (i) AS (SELECT 1 FROM size WHERE hosts > 0
	UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT hosts FROM size))
SELECT i, printf('%s-%05d', iif(i % 10 < 7, 'gpu', 'storage'), i) AS name, printf('h%05d', i) AS id,
	iif(i % 10 < 7, 'gpu-backend', 'storage') AS policy,
	iif(i % 97 = 5, 1 + i / 97 % 5, 0) AS oddity, -- 1 %
	printf('2026-11-24T%02d:%02d:%02dZ', 10 + i % 2, i % 60, i * 7 % 60) AS at,
	i % 1009 = 8 AS blind, i % 211 = 3 AS ill, i % 499 = 17 AS unready
FROM n;

CREATE TEMP TABLE oddity (oddity, setting, value, usual);
INSERT INTO oddity VALUES
	(1, 'pfc.priorities', '[]', '[3]'), (2, 'ecn.np.cnp_dscp', '0', '48'),
	(3, 'ets.tc_bandwidth', '[100,0,0,0,0,0,0,0]', '[10,0,0,90,0,0,0,0]'),
	(4, 'roce.traffic_class', '0', '106'), (5, 'buffer.size', '[524160,0,0,0,0,0,0,0]',
	'[130816,0,0,393344,0,0,0,0]');
CREATE TEMP TABLE port (p);
INSERT INTO port VALUES (0), (1), (2), (3), (4), (5), (6), (7);

INSERT INTO reports
SELECT i, id, 'verify', at, 'state', name, 'boot', iif(i % 20 = 0, '0.2.0', '0.1.0'), policy,
	iif(i % 4 = 0, '5d1e8a', '77c0f2') || printf('%058d', 0), iif(i % 4 = 0, 42, 41),
	CASE WHEN oddity THEN 'drift' WHEN blind THEN 'unknown' WHEN ill THEN 'symptom' ELSE 'in_sync' END,
	SUBSTR('9e107dc3a1f0b2918842f7', 1 + 3 * oddity + iif(policy = 'storage', 2, 0), 6) || printf('%058d', oddity),
	8, iif(oddity, 1, 0), iif(blind, 8, 0)
FROM host;
INSERT INTO reports SELECT 1000000 + i, id, 'peer', at, 'peer', name, 'boot', '0.1.0', policy, NULL, NULL,
	iif(i / 32 % 40 = 1, 'differs', 'agrees'), NULL, 8, 0, 0 FROM host;
INSERT INTO reports SELECT 2000000 + i, id, 'ready', at, 'ready', name, 'boot', '0.1.0', policy, NULL, NULL,
	iif(unready, 'not_ready', 'ready'), NULL, 8, 0, 0 FROM host;
INSERT INTO latest_reports SELECT host_id, aspect, report_id, observed_at FROM reports;
INSERT INTO state_values SELECT DISTINCT r.state_hash, o.setting,
	iif(h.oddity = o.oddity, o.value, o.usual), iif(h.oddity = o.oddity, 1, 8)
FROM host AS h JOIN reports AS r ON r.report_id = h.i JOIN oddity AS o;
INSERT INTO state_values SELECT DISTINCT r.state_hash, o.setting, o.usual, 7
FROM host AS h JOIN reports AS r ON r.report_id = h.i JOIN oddity AS o ON o.oddity = h.oddity;
INSERT INTO setting_reports SELECT h.i, 'ens1f0np0', o.setting, 'drift', h.i % 485 = 5, o.usual, o.value
FROM host AS h JOIN oddity AS o ON o.oddity = h.oddity;
INSERT INTO setting_reports SELECT i, printf('ens%df0np0', p + 1), 'ets.tc_bandwidth', 'unknown', 0,
	'[10,0,0,90,0,0,0,0]', NULL FROM host JOIN port WHERE blind;

-- Each rail of 32 hosts has a leaf. The 41st of them has no PFC; one host receives no LLDP.
INSERT INTO links SELECT 1000000 + i, id, printf('ens%df0np0', p + 1),
	CASE WHEN i % 701 = 9 THEN NULL ELSE printf('0c:29:%02x:%02x:00:%02x', i / 32 / 256, i / 32 % 256, p) END,
	CASE WHEN i % 701 = 9 THEN NULL ELSE printf('leaf-%04d-r%d', i / 32 + 1, p + 1) END,
	CASE WHEN i % 701 = 9 THEN NULL ELSE printf('swp%d', i % 32 + 1) END,
	CASE WHEN i % 701 = 9 THEN 'unknown' WHEN i / 32 % 40 = 1 AND p = 2 THEN 'differs'
		WHEN p = 7 AND i / 32 % 9 = 4 THEN 'differs_allowed' ELSE 'agrees' END,
	iif(i % 97 = 5 AND oddity = 1 AND p = 0, '', '3'),
	CASE WHEN i % 701 = 9 THEN NULL WHEN i / 32 % 40 = 1 AND p = 2 THEN '' ELSE '3' END
FROM host JOIN port;

INSERT INTO symptom_reports SELECT i, printf('ens%df0np0', 1 + i % 8),
	CASE i / 211 % 4 WHEN 0 THEN 'pause-storm' WHEN 1 THEN 'cnp-ignored' WHEN 2 THEN 'link-unstable'
		ELSE 'rdma-out-of-order' END,
	CASE i / 211 % 4 WHEN 0 THEN 'critical' WHEN 2 THEN 'critical' ELSE 'warning' END
FROM host WHERE ill;
INSERT INTO symptom_reports SELECT i, 'ens5f0np0', 'pause-deadlock-suspected', 'critical' FROM host
WHERE i / 32 % 3000 IN (2, 6) AND i % 32 < 3;
INSERT INTO failed_checks SELECT 2000000 + i, id, iif(i % 2, NULL, 'ens1f0np0'),
	iif(i % 2, 'iommu-passthrough', 'pcie-relaxed-ordering'), 'not_ready', 'on', 'off'
FROM host WHERE unready;

-- These reports are of the two weeks before.
CREATE TEMP TABLE past AS
SELECT h.*, d.d, 3000000 + d.d * 200000 + h.i AS report_id,
	printf('2026-11-%02dT12:00:00Z', 10 + d.d) AS then_at
FROM host AS h JOIN (WITH RECURSIVE n (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM n WHERE d < 13)
	SELECT d FROM n) AS d
WHERE (h.oddity OR h.ill) AND (h.i * 31 + d.d * 17) % 14 < 3 + d.d % 5 + iif(d.d = 8, 9, 0);
INSERT INTO reports SELECT report_id, id, 'verify', then_at, 'state', name, 'boot', '0.1.0', policy, NULL, 41,
	'drift', NULL, 8, 1, 0 FROM past;
INSERT INTO setting_reports SELECT p.report_id, 'ens1f0np0', o.setting, 'drift', 0, o.usual, o.value
FROM past AS p JOIN oddity AS o ON o.oddity = p.oddity;
INSERT INTO symptom_reports SELECT report_id, printf('ens%df0np0', 1 + i % 8),
	iif(i % 2, 'pause-storm', 'cnp-ignored'), iif(i % 2, 'critical', 'warning') FROM past WHERE ill;

INSERT INTO drift_records SELECT p.id, 'ens1f0np0', o.setting, column1, p.then_at, p.then_at,
	CASE p.i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'lldpad' ELSE 'a program that set the DCB of the port by netlink' END
FROM past AS p JOIN oddity AS o ON o.oddity = p.oddity JOIN (VALUES ('detected'), ('repaired'), ('contested'))
WHERE column1 = 'detected' OR p.i % 2 AND (column1 = 'repaired' OR p.d > 9);

-- The hosts of one rack were probed, each with each.
INSERT INTO probe_runs SELECT 9000000, '2026-11-24T09:00:00Z', a.name, 'ens1f0np0', b.name, 'ens1f0np0', 'verbs',
	'data', CASE WHEN a.i = 5 THEN 'wrong_at_sender' WHEN b.i = 9 THEN 'rewritten'
	WHEN a.i + b.i = 20 THEN 'masked_by_traffic' ELSE 'in_class' END
FROM host AS a JOIN host AS b ON a.i <> b.i WHERE a.i <= 16 AND b.i <= 16;

INSERT INTO inventory SELECT name FROM host;
INSERT INTO inventory VALUES ('gpu-lost-1'), ('gpu-lost-2'), ('storage-lost-1');
INSERT INTO rejected_documents VALUES
	('0', 'rack7.ndjson:1204', 'rack7.ndjson:1204:18: end of file within a string', '{"schema":"losslessc');
