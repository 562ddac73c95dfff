#!/usr/bin/env bash
# only: 6.12
# Tests of the agent's metrics from end to end: node_exporter reads them as another user through a
# link in its directory; Prometheus scrapes, records, and raises the alerts of packaging/prometheus.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

exporter=127.0.0.1/9100
server=127.0.0.1/9090
folder=/var/lib/prometheus/node-exporter # the directory of Debian's package

# http HOST/PORT PATH: print the answer. curl and jq would take the guest's time from the servers.
http() {
	local line
	exec 3<>"/dev/tcp/$1" || return
	printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&3
	while read -r line <&3 && [ "${line%$'\r'}" ]; do :; done
	cat <&3
	exec 3>&-
} 2>/dev/null

# encoded TEXT: print the text in URL encoding.
encoded() {
	local text=$1 n
	for ((n = 0; n < ${#text}; n++)); do
		case ${text:n:1} in
		[a-zA-Z0-9_:]) printf %s "${text:n:1}" ;;
		*) printf %%%02X "'${text:n:1}" ;;
		esac
	done
}

# api ENCODED: print the answer to a query.
api() { http $server "/api/v1/query?query=$1"; }

# is QUERY VALUE [LABEL]: check that the answer is one sample with this value and label.
is() {
	local answer
	answer=$(api "$(encoded "$1")")
	[[ $answer =~ \"result\":\[\{\"metric\":\{[^}]*\},\"value\":\[[0-9.]+,\"$2\"\]\}\] ]] &&
		[[ $answer == *"${3-}"* ]]
}

is_nothing() { [[ $(api "$(encoded "$1")") == *'"result":[]'* ]]; }

# patiently COMMAND...: retry for 600 s: the guest is emulated, and Prometheus scrapes every 5 s.
patiently() {
	local end=$((SECONDS + 600))
	until "$@"; do
		[ $SECONDS -lt $end ] || {
			echo "never: $*"
			api ALERTS
			return 1
		}
		sleep 2
	done
}

# raised ALERT LABEL VALUE: check that the alert is firing with this label.
raised() { is "ALERTS{alertname=\"$1\",alertstate=\"firing\",$2=\"$3\"}" 1; }

silent() { is_nothing "ALERTS{alertname=\"$1\"}"; }

# Write the rules with shorter times in `for` and for stale pages.
write_rules() {
	sed -E 's/^( *for:) .*/\1 5s/; s/(age:seconds (<=|>)( bool)?) 60/\1 30/' \
		packaging/prometheus/losslessctl.rules.yml >"$work/rules.yml"
}

write_config() {
	cat >"$work/prometheus.yml" <<-END
	global: { scrape_interval: 5s, evaluation_interval: 5s }
	rule_files: [ "$work/rules.yml" ]
	scrape_configs:
	  - job_name: node
	    static_configs:
	      - targets: [ "${exporter/\//:}" ]
	        labels: { cluster: one }
	END
}

# node_exporter runs as another user, with a directory for its files alone.
start_servers() {
	local exe
	exe=$(command -v prometheus-node-exporter)
	mkdir -p $folder
	ln -s $run/metrics.prom $folder/losslessctl.prom
	keep setpriv --reuid 65534 --regid 65534 --clear-groups "$exe" --web.listen-address \
		"${exporter/\//:}" --collector.disable-defaults --collector.textfile \
		--collector.textfile.directory $folder
	write_rules
	write_config
	keep prometheus --config.file "$work/prometheus.yml" --storage.tsdb.path "$work/tsdb" \
		--web.listen-address "${server/\//:}"
}

exporter_has_the_page() { http $exporter /metrics | grep -q '^losslessctl_build_info{'; }

node_exporter_reads_it() {
	patiently exporter_has_the_page
	http $exporter /metrics >"$work/scraped"
	grep -qx 'node_textfile_scrape_error 0' "$work/scraped" || grep node_textfile "$work/scraped"
	grep -q "^node_textfile_mtime_seconds{file=\"$folder/losslessctl.prom\"}" "$work/scraped" ||
		grep node_textfile "$work/scraped"
}

families() { sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$@" | sort; }

recorded_page_is_of_today() {
	diff <(families tests/packaging/prometheus/metrics.prom) <(families $run/metrics.prom)
}

scraped_and_recorded() {
	patiently is 'up{job="node"}' 1
	patiently is losslessctl_policy_info 1 '"generation":"1"'
	patiently is cluster:losslessctl_hosts_in_sync:sum 1 '"cluster":"one"'
	patiently is cluster:losslessctl_ports_in_sync:sum 2
	patiently is cluster:losslessctl_hosts_stale:sum 0
	is_nothing ALERTS || api ALERTS
}

drift_is_an_alert() {
	dcb pfc set dev $port prio-pfc 3:off
	patiently is losslessctl_setting_drifted 1 '"setting":"pfc.priorities"'
	patiently raised LosslessctlDrift netdev $port
	patiently is cluster:losslessctl_hosts_in_sync:sum 0
	patiently is cluster_setting:losslessctl_setting_drifted:sum 1 '"setting":"pfc.priorities"'
}

repaired_it_is_none() {
	expect 0 losslessctl -q apply "$work/policy.json"
	patiently silent LosslessctlDrift
	patiently is_nothing losslessctl_setting_drifted
	patiently is cluster:losslessctl_hosts_in_sync:sum 1
}

storm() {
	connectx $port storm sent 3 90
	patiently raised LosslessctlPauseStorm symptom pause-storm-sent
	connectx $port storm sent 3 off
	patiently silent LosslessctlPauseStorm
}

refused_policy() {
	cp "$work/policy.json" "$work/good.json"
	echo '{' >"$work/policy.json"
	kill -HUP "$(agent)"
	patiently raised LosslessctlPolicyRefused cluster one
	cp "$work/good.json" "$work/policy.json"
	kill -HUP "$(agent)"
	patiently silent LosslessctlPolicyRefused
}

# Print each query of the dashboard with its variables filled in, as "PANEL<tab>ENCODED".
queries() {
	jq -r -f tests/packaging/prometheus/queries.jq packaging/prometheus/dashboard.json |
		jq -Rr 'split("\t") | "\(.[0])\t\(.[1] | @uri)"'
}

is_answered() { [[ $(api "$1") == '{"status":"success"'* ]]; }
is_something() { [[ $(api "$1") == '{"status":"success"'*'"metric"'* ]]; }

every_query_is_answered() {
	local panel query
	queries >"$work/queries"
	[ "$(wc -l <"$work/queries")" -gt 30 ] || echo 'too few queries'
	while IFS=$'\t' read -r panel query; do
		case $panel in
		Fleet:*) patiently is_something "$query" ;;
		*) is_answered "$query" ;;
		esac || echo "$panel: $(api "$query")"
	done <"$work/queries"
}

a_repair_that_fails() {
	stop_agent
	agent_policy enforce '{"allow_link_flap":true}' "$setup" $port
	expect 0 losslessctl -q apply "$work/policy.json"
	start_agent --verify-interval 1 --sample-interval 1
	patiently is 'losslessctl_repair_failures_total{outcome="failed"}' 0
	connectx $port fault QTCT fail internal_err 1
	connectx $port register QTCT tclass 5 2
	patiently raised LosslessctlRepairFailed netdev $port
}

# Kill an apply during its writes.
a_run_that_did_not_end() {
	local journal=/var/lib/losslessctl/journal
	stop_agent
	agent_policy report
	expect 0 losslessctl -q apply "$work/policy.json"
	connectx $port register QTCT tclass 5 2
	connectx $port link stuck on
	poke_pfc $port 0
	losslessctl -q apply "$work/policy.json" 2>/dev/null &
	quickly [ -e $journal/pending.json ]
	kill -9 $!
	start_agent --verify-interval 1 --sample-interval 1
	patiently raised LosslessctlTransactionIncomplete severity critical
	connectx $port link stuck off
	connectx $port link up
	wait_carrier
	losslessctl -q apply "$work/policy.json" 2>/dev/null
	patiently silent LosslessctlTransactionIncomplete
}

an_agent_that_stops() {
	stop_agent
	patiently raised LosslessctlStale cluster one
	patiently is cluster:losslessctl_hosts_in_sync:sum 0
	start_agent --verify-interval 1 --sample-interval 1
	patiently silent LosslessctlStale
}

# A port without an address that can be routed is not ready.
ip address add 192.0.2.1/24 dev $port
ip address add 198.51.100.1/24 dev $other
agent_policy report
sed -i 's/"version":1,/&"thresholds":{"window_s":1},/' "$work/policy.json"
applied
start_agent --verify-interval 1 --sample-interval 1
start_servers
it 'node_exporter, as another user, reads the page through a link' node_exporter_reads_it
it 'Prometheus scrapes it, records, and has nothing to complain about' scraped_and_recorded
it 'a setting that somebody changes is an alert' drift_is_an_alert
it 'the recorded page of other tests has all that the agent reports' recorded_page_is_of_today
it 'every query of the dashboard is answered, and those of the fleet with something' \
	every_query_is_answered
it 'put right, it is none any more' repaired_it_is_none
it 'a pause storm is one' storm
it 'a refused policy is one' refused_policy
it 'a repair that fails and is rolled back is one' a_repair_that_fails
it 'an apply that died half way is one, until another puts that right' a_run_that_did_not_end
it 'an agent that stops is one' an_agent_that_stops
end_kept
tap_end
