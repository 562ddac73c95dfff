-- A small fleet in which every view has rows. It has NULLs, ties, names beyond ASCII, and reports
-- whose ids are not in the order of their times.

-- a1 to a5 have one policy. a1 reported in_sync after drift; a4 reports by status; a5 has a switch
-- without DCBX.
INSERT INTO reports VALUES
	(1, 'id-a1', 'verify', '2026-11-02T08:00:00Z', 'state', 'a1', 'boot-1', '1.0.0', 'gpu', 'p1', 1, 'in_sync', 's1', 2, 0, 0),
	(2, 'id-a1', 'verify', '2026-11-01T08:00:00Z', 'state', 'a1', 'boot-1', '1.0.0', 'gpu', 'p1', 1, 'drift', 's2', 2, 1, 0),
	(3, 'id-a2', 'verify', '2026-11-02T08:00:01Z', 'state', 'a2', 'boot-2', '1.0.0', 'gpu', 'p1', 1, 'in_sync', 's1', 2, 0, 0),
	(4, 'id-a3', 'verify', '2026-11-02T08:00:02Z', 'state', 'a3', 'boot-3', '1.0.0', 'gpu', 'p1', 1, 'drift', 's2', 2, 2, 0),
	(5, 'id-a4', 'status', '2026-11-02T08:00:03Z', 'state', 'a4', 'boot-4', '1.1.0', 'gpu', 'p2', 2, 'symptom', 's1', 2, 0, 0),
	(6, 'id-a5', 'verify', '2026-11-02T08:00:04Z', 'state', 'a5', 'boot-5', '1.0.0', 'gpu', 'p1', 1, 'unknown', NULL, 2, 0, 2);

-- b1 and b2 have another policy, with a tie of two values, and names beyond ASCII; the policy of c1
-- and c2 has no name.
INSERT INTO reports VALUES
	(7, 'id-b1', 'verify', '2026-11-02T09:00:00Z', 'state', 'gpü-1', 'boot-6', '1.0.0', 'storage', 'p3', NULL, 'in_sync', 's3', 1, 0, 0),
	(8, 'id-b2', 'verify', '2026-11-02T09:00:00Z', 'state', 'ホスト-2', 'boot-7', '1.0.0', 'storage', 'p3', NULL, 'drift', 's4', 1, 1, 0),
	(9, 'id-c1', 'verify', '2026-11-02T09:00:00Z', 'state', 'c1', 'boot-8', '1.0.0', NULL, 'p4', NULL, 'in_sync', 's1', 2, 0, 0),
	(10, 'id-c2', 'verify', '2026-11-02T09:00:00Z', 'state', 'c2', 'boot-9', '1.0.0', NULL, 'p4', NULL, 'in_sync', 's5', 2, 0, 0);

-- d1 has show alone; d2 has peer alone; d3 was renamed, and its newest report is not the one with
-- the highest id; d4 has no id; e1 and e2 share an id; f is the name of two ids.
INSERT INTO reports VALUES
	(11, 'id-d1', 'show', '2026-11-02T10:00:00Z', 'setup', 'd1', 'boot-10', '1.0.0', NULL, NULL, NULL, NULL, 's1', 2, 0, 0),
	(12, 'id-d2', 'peer', '2026-11-02T10:00:00Z', 'peer', 'd2', 'boot-11', '1.0.0', 'gpu', 'p1', NULL, 'agrees', NULL, 1, 0, 0),
	(13, 'id-d3', 'ready', '2026-11-02T10:05:00Z', 'ready', 'd3-new', 'boot-12', '1.2.0', 'gpu', 'p1', NULL, 'not_ready', NULL, 1, 0, 0),
	(14, 'id-d3', 'verify', '2026-11-02T10:00:00Z', 'state', 'd3-old', 'boot-12', '1.1.0', 'gpu', 'p1', 1, 'in_sync', 's1', 2, 0, 0),
	(15, 'name:d4', 'history', '2026-11-02T10:00:00Z', 'history', 'd4', NULL, '1.0.0', NULL, NULL, NULL, NULL, NULL, 0, 0, 0),
	(16, 'id-e', 'verify', '2026-11-02T11:00:00Z', 'state', 'e1', 'boot-13', '1.0.0', 'gpu', 'p1', 1, 'in_sync', 's1', 2, 0, 0),
	(17, 'id-e', 'verify', '2026-11-02T11:00:01Z', 'state', 'e2', 'boot-14', '1.0.0', 'gpu', 'p1', 1, 'in_sync', 's1', 2, 0, 0),
	(18, 'id-f1', 'show', '2026-11-01T12:00:00Z', 'setup', 'f', 'boot-15', '1.0.0', NULL, NULL, NULL, NULL, 's9', 2, 0, 0),
	(19, 'id-f2', 'show', '2026-11-02T12:00:00Z', 'setup', 'f', 'boot-16', '1.0.0', NULL, NULL, NULL, NULL, NULL, 2, 0, 0);

-- These are other reports of hosts with verify.
INSERT INTO reports VALUES
	(20, 'id-a1', 'peer', '2026-11-02T08:10:00Z', 'peer', 'a1', 'boot-1', '1.0.0', 'gpu', 'p1', NULL, 'differs', NULL, 2, 0, 0),
	(21, 'id-a3', 'peer', '2026-11-02T08:00:02Z', 'peer', 'a3', 'boot-3', '0.9.0', 'gpu', 'p1', NULL, 'differs', NULL, 2, 0, 0),
	(22, 'id-a4', 'peer', '2026-11-02T08:10:00Z', 'peer', 'a4', 'boot-4', '1.1.0', 'gpu', 'p2', NULL, 'agrees', NULL, 1, 0, 0),
	(23, 'id-a5', 'peer', '2026-11-02T08:10:00Z', 'peer', 'a5', 'boot-5', '1.0.0', 'gpu', 'p1', NULL, 'unknown', NULL, 2, 0, 0),
	(24, 'id-b2', 'ready', '2026-11-02T09:10:00Z', 'ready', 'ホスト-2', 'boot-7', '1.0.0', 'storage', 'p3', NULL, 'not_ready', NULL, 1, 0, 0),
	(25, 'id-a2', 'ready', '2026-11-02T08:10:00Z', 'ready', 'a2', 'boot-2', '1.0.0', 'gpu', 'p1', NULL, 'ready', NULL, 2, 0, 0),
	(26, 'id-a1', 'probe', '2026-11-02T07:00:00Z', 'probe', 'a1', 'boot-1', '1.0.0', NULL, NULL, NULL, NULL, NULL, 0, 0, 0),
	(27, 'id-a1', 'probe', '2026-11-01T07:00:00Z', 'probe', 'a1', 'boot-1', '1.0.0', NULL, NULL, NULL, NULL, NULL, 0, 0, 0);

-- The machine `prober` only probes others; g1 was installed anew.
INSERT INTO reports VALUES
	(28, 'id-p', 'probe-matrix', '2026-11-02T07:00:00Z', 'probe', 'prober', 'boot-17', '1.0.0', NULL, NULL, NULL, NULL, NULL, 0, 0, 0),
	(29, 'id-g-old', 'ready', '2026-11-01T12:00:00Z', 'ready', 'g1', 'boot-18', '1.0.0', NULL, NULL, NULL, 'ready', NULL, 0, 0, 0),
	(30, 'id-g-new', 'ready', '2026-11-02T12:00:00Z', 'ready', 'g1', 'boot-19', '1.0.0', NULL, NULL, NULL, 'ready', NULL, 0, 0, 0);

INSERT INTO latest_reports
SELECT host_id, aspect, report_id, observed_at
FROM reports AS r
WHERE observed_at = (SELECT MAX(observed_at) FROM reports AS newest
	WHERE newest.host_id = r.host_id AND newest.aspect = r.aspect);

-- s1 and s2 differ in one port's PFC; of their trust, 7 of 12 ports are too few. s3 and s4 tie. With s5,
-- 6 of 10 ports are just enough. s9 has no values: no host sent its show.
INSERT INTO state_values VALUES
	('s1', 'mtu', '9000', 2), ('s1', 'pfc.priorities', '[3]', 2),
	('s1', 'trust', '"dscp"', 1), ('s1', 'trust', '"pcp"', 1),
	('s2', 'mtu', '9000', 2), ('s2', 'pfc.priorities', '[3]', 1), ('s2', 'pfc.priorities', '[]', 1),
	('s2', 'trust', '"dscp"', 2),
	('s3', 'mtu', '9000', 1), ('s4', 'mtu', '4200', 1),
	('s5', 'mtu', '1500', 4), ('s5', 'mtu', '9000', 2);

INSERT INTO setting_reports VALUES
	(2, 'ens1f0np0', 'mtu', 'drift', 0, '9000', '1500'),
	(4, 'ens1f0np0', 'pfc.priorities', 'drift', 1, '[3]', '[]'),
	(4, 'ens1f1np1', 'mtu', 'drift', 0, '9000', '4200'),
	(6, 'ens1f0np0', 'cnp.dscp', 'unknown', 0, '48', NULL),
	(6, 'ens1f1np1', 'ecn.np', 'unsupported', 0, 'true', NULL),
	(8, 'eth0', 'mtu', 'drift', 0, '9000', '4200');

INSERT INTO symptom_reports VALUES
	(1, 'ens1f0np0', 'pause-deadlock-suspected', 'critical'),
	(2, 'ens1f0np0', 'link-flapping', 'warning'),
	(4, 'ens1f0np0', 'pause-deadlock-suspected', 'critical'),
	(4, 'ens1f1np1', 'pause-deadlock-suspected', 'critical'),
	(5, 'ens1f0np0', 'pause-deadlock-suspected', 'critical'),
	(5, 'ens1f0np0', 'link-flapping', 'warning'),
	(8, 'eth0', 'link-flapping', 'warning');

INSERT INTO links VALUES
	(20, 'id-a1', 'ens1f0np0', '00:11:22:33:44:01', 'leaf-1', 'Ethernet1', 'agrees', '3', '3'),
	(20, 'id-a1', 'ens1f1np1', '00:11:22:33:44:02', 'blätt-2', 'Ethernet1', 'differs', '3', '3,4'),
	(21, 'id-a3', 'ens1f0np0', '00:11:22:33:44:01', 'leaf-1-renamed', 'Ethernet3', 'differs', '', '3'),
	(21, 'id-a3', 'ens1f1np1', '00:11:22:33:44:02', 'blätt-2', 'Ethernet3', 'differs', '', '3'),
	(22, 'id-a4', 'ens1f0np0', '00:11:22:33:44:03', NULL, NULL, 'agrees', '3', '3'),
	(23, 'id-a5', 'ens1f0np0', '00:11:22:33:44:01', 'leaf-1', 'Ethernet5', 'unknown', '3', NULL),
	(23, 'id-a5', 'ens1f1np1', NULL, NULL, NULL, 'unknown', '3', NULL),
	(12, 'id-d2', 'ens1f0np0', '00:11:22:33:44:01', 'leaf-1', 'Ethernet7', 'agrees', '3', '3');

INSERT INTO failed_checks VALUES
	(13, 'id-d3', NULL, 'memlock', 'not_ready', 'unlimited', '65536'),
	(24, 'id-b2', NULL, 'memlock', 'not_ready', 'unlimited', '65536'),
	(24, 'id-b2', 'eth0', 'pci-acs', 'unknown', NULL, NULL),
	(24, 'id-b2', 'eth1', 'pci-acs', 'unknown', NULL, NULL);

INSERT INTO drift_records VALUES
	('id-a1', 'ens1f0np0', 'mtu', 'detected', '2026-11-01T07:59:00Z', '2026-11-01T07:59:00Z', 'a program'),
	('id-a1', 'ens1f0np0', 'mtu', 'repaired', '2026-11-01T08:01:00Z', '2026-11-01T07:59:00Z', 'losslessctl'),
	('id-a1', 'ens1f0np0', 'mtu', 'detected', '2026-11-01T23:59:59Z', '2026-11-01T23:59:59Z', 'a program'),
	('name:d4', 'ens1f0np0', 'mtu', 'detected', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', 'a program'),
	('name:d4', 'ens1f0np0', 'trust', 'contested', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z', NULL);

INSERT INTO probe_runs VALUES
	(26, '2026-11-02T07:00:00Z', 'a1', 'ens1f0np0', 'a2', 'ens1f0np0', 'verbs', 'data', 'in_class'),
	(26, '2026-11-02T07:00:00Z', 'a1', 'ens1f1np1', 'a2', 'ens1f1np1', 'verbs', 'data', 'rewritten'),
	(26, '2026-11-02T07:00:00Z', 'a1', 'ens1f2np2', 'a2', 'ens1f2np2', 'verbs', 'data', 'rewritten'),
	(26, '2026-11-02T07:00:00Z', 'a1', 'ens1f0np0', 'a2', 'ens1f0np0', 'verbs', 'acknowledgements', 'in_class'),
	(26, '2026-11-02T07:00:00Z', 'a1', NULL, 'gpü-1', NULL, '', '', 'unreachable'),
	(27, '2026-11-01T07:00:00Z', 'a1', 'ens1f0np0', 'a2', 'ens1f0np0', 'verbs', 'data', 'unknown'),
	-- another port, and another path, which were not probed since
	(27, '2026-11-01T07:00:00Z', 'a1', 'ens1f3np3', 'a2', 'ens1f3np3', 'verbs', 'data', 'rewritten'),
	(27, '2026-11-01T07:00:00Z', 'a1', 'ens1f0np0', 'a2', 'ens1f0np0', 'rdma_cm', 'data', 'wrong_map'),
	-- nothing could be tried since
	(27, '2026-11-01T06:00:00Z', 'a2', 'ens1f0np0', 'a1', 'ens1f0np0', 'verbs', 'data', 'in_class'),
	(27, '2026-11-01T07:00:00Z', 'a2', 'ens1f0np0', 'a1', 'ens1f0np0', '', '', 'unknown'),
	-- a host that answers again
	(27, '2026-11-01T07:00:00Z', 'a2', NULL, 'a3', NULL, '', '', 'unreachable'),
	(27, '2026-11-01T08:00:00Z', 'a2', 'ens1f0np0', 'a3', 'ens1f0np0', 'verbs', 'data', 'in_class');

-- The inventory has names, an id, a name of two ids, and two hosts that never reported.
INSERT INTO inventory VALUES ('a1'), ('id-a2'), ('gpü-1'), ('f'), ('d3-new'), ('d3-old'), ('missing-1'),
	('失踪-2');
