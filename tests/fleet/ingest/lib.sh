# shellcheck shell=bash
# Run losslessctl-fleet on test reports, and print its database. To be sourced from the top of the
# checkout.

program=$PWD/build/losslessctl-fleet
work=$PWD/build/fleet/ingest/$(basename "$0" .sh)
rm -rf "$work"
mkdir -p "$work"

# fleet DB VERB WORD...: run losslessctl-fleet on this database.
fleet() { "$program" "$2" --db "$work/$1" "${@:3}"; }

# quiet DB FILE...: ingest, and print only errors.
quiet() { fleet "$1" ingest -q "${@:2}"; }

documents() { jq -nc -f tests/fleet/ingest/make.jq; }

# exits CODE COMMAND...: check the command's exit code; $work/said gets its output.
exits() {
	local code=0
	"${@:2}" >"$work/said" 2>&1 </dev/null || code=$?
	[ "$code" -eq "$1" ] || { echo "exit code $code, not $1: ${*:2}" && tail -n 5 "$work/said"; }
}

says() { grep -qF -- "$1" "$work/said" || { echo "it does not say: $1" && cat "$work/said"; }; }

# rows DB: print all rows, without the reports' numbers.
rows() {
	sqlite3 -readonly -batch "$work/$1" <<-'EOF' | sort
		.mode tabs
		.nullvalue NULL
		CREATE TEMP VIEW of AS SELECT report_id, host || ' ' || kind || ' ' || SUBSTR(observed_at, 12, 8) AS doc
			FROM reports;
		SELECT 'reports', host_id, kind, observed_at, aspect, host, boot_id, losslessctl_version, policy_name,
			policy_sha256, policy_generation, verdict, state_hash, port_count, drifted_port_count,
			unknown_port_count FROM reports;
		SELECT 'latest', host_id, aspect, doc, observed_at FROM latest_reports JOIN of USING (report_id);
		SELECT 'setting', doc, port, setting, status, contested, desired, actual
			FROM setting_reports JOIN of USING (report_id);
		SELECT 'symptom', doc, port, symptom, severity FROM symptom_reports JOIN of USING (report_id);
		SELECT 'value', * FROM state_values;
		SELECT 'link', doc, host_id, port, switch_id, switch_name, switch_port, verdict, pfc, switch_pfc
			FROM links JOIN of USING (report_id);
		SELECT 'check', doc, host_id, port, check_name, status, expected, actual
			FROM failed_checks JOIN of USING (report_id);
		SELECT 'drift', * FROM drift_records;
		SELECT 'probe', doc, observed_at, host, port, peer_host, peer_port, path, direction, verdict
			FROM probe_runs JOIN of USING (report_id);
		SELECT 'rejected', sha256, reason, document FROM rejected_documents;
		SELECT 'host', * FROM hosts;
	EOF
}

is_whole() { sqlite3 -batch "$work/$1" 'PRAGMA integrity_check' | found grep -v '^ok$'; }
