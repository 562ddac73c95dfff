-- Names with a special meaning in HTML, a shell, a spreadsheet, or on the screen.
CREATE TEMP TABLE hostile AS
SELECT ROW_NUMBER() OVER () AS n, column1 AS name FROM (VALUES
	('<script>window.harmed = 1</script>'), ('"><img src=x onerror=window.harmed=1>'),
	('</script><script>window.harmed = 1</script>'), ('<!-- '), ('--><b>'), ('</table></section></main>'),
	('&lt;script&gt;'), ('javascript:window.harmed=1'), ('=HYPERLINK("x")'), ('''; rm -rf $(x) `x`'),
	('a' || char(8238) || 'txt.exe' || char(8236) || char(10) || 'b' || char(0x2028)), (char(7, 27) || '[2J'),
	(CAST(x'c3286121ff' AS TEXT)), (''), (' '), ('__proto__'), ('https://example.com/#host=x'),
	(printf('%.65536c', 'x')), (printf('%.65536c', '<')), (replace(printf('%.1000c', 'é'), 'x', 'y')));
UPDATE reports SET host = COALESCE((SELECT name FROM hostile WHERE n = report_id % 1000000 % 97), host),
	policy_name = iif(report_id % 1000000 = 5, '<i>policy</i>', policy_name),
	losslessctl_version = iif(report_id % 1000000 = 7, '"><script>', losslessctl_version);
UPDATE links SET switch_name = COALESCE((SELECT name FROM hostile WHERE n = report_id % 97), switch_name),
	switch_port = COALESCE((SELECT name FROM hostile WHERE n = report_id % 97), switch_port),
	switch_id = COALESCE((SELECT name FROM hostile WHERE n = report_id % 97 AND n > 3), switch_id),
	verdict = iif(report_id % 97 < 21, 'differs', verdict), pfc = iif(report_id % 97 = 2, '<b>', pfc);
UPDATE setting_reports SET actual = (SELECT name FROM hostile WHERE n = 1 + report_id % 20), desired = '"><script>',
	setting = iif(report_id % 5 = 0, '<u>setting', setting), port = '<s>port' WHERE report_id < 1000000;
UPDATE symptom_reports SET symptom = '</title><script>', severity = '"onclick="x' WHERE report_id < 1000000;
UPDATE state_values SET value = '</script><!--' WHERE setting = 'pfc.priorities' AND value = '[]';
UPDATE probe_runs SET host = (SELECT name FROM hostile WHERE n = 1), verdict = '<b>verdict' WHERE host = 'gpu-00002';
INSERT OR IGNORE INTO inventory SELECT name FROM hostile;
UPDATE rejected_documents SET source = '<a href=x>', reason = '</td><script>window.harmed = 1</script>';
UPDATE drift_records SET likely_writer = (SELECT name FROM hostile WHERE n = 1 + LENGTH(host_id || setting) % 20);
UPDATE failed_checks SET check_name = '<script>';
