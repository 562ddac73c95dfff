-- The tables of losslessctl-fleet, in the SQL that SQLite, DuckDB and PostgreSQL share.
-- Ingest flattens documents into plain columns, so that no view needs a JSON function. Times are
-- RFC 3339 in UTC and compare as text. Lists are text, such as '3,4'. Flags are 0 or 1.

-- One row for each document that was ingested. A second copy of it changes nothing.
CREATE TABLE reports (
	report_id INTEGER PRIMARY KEY,
	host_id TEXT NOT NULL, -- of the document; 'name:HOST' where it has none
	kind TEXT NOT NULL, -- of its schema: verify, status, show, peer, ready, history, probe, probe-matrix
	observed_at TEXT NOT NULL,
	aspect TEXT NOT NULL, -- the subject of the report: state (verify, status), setup (show), peer, ready, history (drift), probe
	host TEXT NOT NULL,
	boot_id TEXT,
	losslessctl_version TEXT NOT NULL,
	policy_name TEXT,
	policy_sha256 TEXT,
	policy_generation BIGINT,
	verdict TEXT, -- NULL: documents of this kind have none
	state_hash TEXT,
	port_count BIGINT NOT NULL,
	drifted_port_count BIGINT NOT NULL,
	unknown_port_count BIGINT NOT NULL,
	UNIQUE (host_id, kind, observed_at, host) -- hosts may share a machine-id
);

-- The newest report of each host and aspect.
CREATE TABLE latest_reports (
	host_id TEXT NOT NULL,
	aspect TEXT NOT NULL,
	report_id INTEGER NOT NULL,
	observed_at TEXT NOT NULL,
	PRIMARY KEY (host_id, aspect)
);

-- Settings that verify or the agent did not find in sync, and why not. So are critical findings, by
-- the name of the lint; 'present', of a port that is gone; and 'rules' of the port '-', where a
-- rule finds too few ports.
CREATE TABLE setting_reports (
	report_id INTEGER NOT NULL,
	port TEXT NOT NULL,
	setting TEXT NOT NULL,
	status TEXT NOT NULL, -- drift, unknown, unsupported
	contested BIGINT NOT NULL,
	desired TEXT, -- compact JSON
	actual TEXT
);

CREATE TABLE symptom_reports (
	report_id INTEGER NOT NULL,
	port TEXT NOT NULL,
	symptom TEXT NOT NULL,
	severity TEXT NOT NULL -- critical, warning, info
);

-- The values that all hosts with one state_hash have: they are configured alike. Filled from the
-- first show, or verify --all, with that hash.
CREATE TABLE state_values (
	state_hash TEXT NOT NULL,
	setting TEXT NOT NULL,
	value TEXT NOT NULL, -- compact JSON
	port_count BIGINT NOT NULL, -- of one host
	PRIMARY KEY (state_hash, setting, value)
);

-- The switch ports at the other end, of the newest peer report of each host.
CREATE TABLE links (
	report_id INTEGER NOT NULL,
	host_id TEXT NOT NULL,
	port TEXT NOT NULL,
	switch_id TEXT, -- LLDP chassis id; NULL: no LLDP was heard
	switch_name TEXT,
	switch_port TEXT,
	verdict TEXT NOT NULL, -- agrees, differs_allowed, differs, unknown
	pfc TEXT, -- the host's lossless priorities; '' for none, NULL for unknown
	switch_pfc TEXT,
	PRIMARY KEY (host_id, port)
);

-- Checks of the newest ready report of each host that did not pass.
CREATE TABLE failed_checks (
	report_id INTEGER NOT NULL,
	host_id TEXT NOT NULL,
	port TEXT, -- NULL: a check of the host
	check_name TEXT NOT NULL,
	status TEXT NOT NULL, -- not_ready, unknown
	expected TEXT,
	actual TEXT
);

-- Records of drift that the agents keep.
CREATE TABLE drift_records (
	host_id TEXT NOT NULL,
	port TEXT NOT NULL,
	setting TEXT NOT NULL,
	event TEXT NOT NULL, -- detected, repaired, resolved, contested
	recorded_at TEXT NOT NULL,
	first_seen_at TEXT NOT NULL,
	likely_writer TEXT,
	PRIMARY KEY (host_id, port, setting, event, recorded_at)
);

-- What probes measured. 'data' goes from host to peer_host, 'acknowledgements' the other way.
CREATE TABLE probe_runs (
	report_id INTEGER NOT NULL,
	observed_at TEXT NOT NULL,
	host TEXT NOT NULL,
	port TEXT,
	peer_host TEXT NOT NULL,
	peer_port TEXT,
	path TEXT NOT NULL, -- verbs, rdma_cm, rdma_cm_tos, gpu, control; '' where none was tried
	direction TEXT NOT NULL, -- data, acknowledgements; '' where nothing was measured
	verdict TEXT NOT NULL -- of the direction, else the state of the run
);

-- The hosts that should report, by name or host_id: report --expect fills it.
CREATE TABLE inventory (
	host TEXT PRIMARY KEY
);

-- Documents that were set aside.
CREATE TABLE rejected_documents (
	sha256 TEXT PRIMARY KEY, -- of the document
	source TEXT NOT NULL, -- file and line
	reason TEXT NOT NULL,
	document TEXT NOT NULL -- up to its first 4096 bytes, sanitised
);

CREATE INDEX setting_reports_by_report ON setting_reports (report_id);
CREATE INDEX symptom_reports_by_report ON symptom_reports (report_id);
