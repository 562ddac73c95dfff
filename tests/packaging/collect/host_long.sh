#!/usr/bin/env bash
# Tests of collecting reports as in the examples, by curl and nginx and by Ansible. Prints TAP.
# nginx is unpacked and never installed, as its package would start it.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

work=$PWD/build/collect
PATH=$work/bin:$(realpath "${LOSSLESSCTL_BUILD:-build}"):$PATH
status=$work/status.json
socket=$work/socket
export HOME=$work/home ANSIBLE_NOCOLOR=1 NO_COLOR=1 PYTHONDONTWRITEBYTECODE=1

get_nginx() {
	[ ! -x "$work/nginx/usr/sbin/nginx" ] || return 0
	(cd "$work" && apt-get -q -o APT::Sandbox::User=root download nginx) >"$work/said" 2>&1 ||
		cat "$work/said"
	dpkg-deb -x "$work"/nginx_*.deb "$work/nginx"
}

# site ALLOWED: print the configuration of a server with the example, which admits ALLOWED.
site() {
	local kind
	sed "s,/var/lib/losslessctl-reports,$work/reports,; s,allow 10.0.0.0/8,allow $1," \
		packaging/collect/nginx.conf >"$work/site.conf"
	printf 'user root;\npid %s;\nevents {}\nhttp {\naccess_log off;\n' "$work/nginx.pid"
	for kind in client_body proxy fastcgi uwsgi scgi; do
		printf '%s_temp_path %s;\n' $kind "$work/temp-$kind"
	done
	printf 'server {\nlisten unix:%s;\ninclude %s;\n}\n}\n' "$socket" "$work/site.conf"
}

# nginx_runs ALLOWED: start nginx with this site.
nginx_runs() {
	nginx_stops
	site "$1" >"$work/nginx.conf"
	mkdir -p "$work/reports/losslessctl"
	"$work/nginx/usr/sbin/nginx" -e "$work/error.log" -c "$work/nginx.conf"
}

nginx_stops() {
	[ ! -f "$work/nginx.pid" ] || kill "$(<"$work/nginx.pid")"
	until [ ! -e "$work/nginx.pid" ]; do sleep 0.05; done
	rm -f "$socket"
}

# send HOST: run the unit's command with this nginx.
send() {
	local command
	command=$(sed -n '/^ExecStart=/,/[^\\]$/p' packaging/collect/losslessctl-send.service |
		sed 's/^ExecStart=//; s/\\$//' | tr -d '\n')
	command=${command//%H/$1}
	command=${command//\$\{REPORTS\}/http://localhost/losslessctl}
	command=${command//\/run\/losslessctl\/status.json/$status}
	sh -c "$command --retry 0 --unix-socket $socket" >"$work/said" 2>&1
}

# status_of HOST VERDICT SECOND: write the agent's status file.
status_of() {
	jq -c --arg host "$1" --arg verdict "$2" --arg second "$3" 'select(.schema == "losslessctl/status/1")
		| .host = $host | .verdict = $verdict | .observed_at = "2026-11-24T10:00:\($second)Z"' \
		tests/golden/v1/reports/status.jsonl | head -n 1 >"$status"
}

only_those_who_are_let_in_can_send() {
	nginx_runs 192.0.2.0/24
	status_of stranger drift 00
	! send stranger || echo 'a stranger stored a report'
	[ -z "$(ls "$work/reports/losslessctl")" ] || echo 'a report of a stranger is there'
}

the_newest_state_is_kept() {
	nginx_runs unix:
	status_of gpu-node-1 drift 01
	send gpu-node-1 || cat "$work/said"
	status_of gpu-node-1 in_sync 02
	send gpu-node-1 || cat "$work/said"
	cmp "$status" "$work/reports/losslessctl/gpu-node-1.json"
}

nobody_reads_them_there() {
	! curl --fail --silent --unix-socket "$socket" http://localhost/losslessctl/gpu-node-1.json ||
		echo 'anybody can read a report'
}

# hosts_of DIRECTORY: ingest, and print "HOST VERDICT" in the order of names.
hosts_of() {
	rm -f "$work"/fleet.db*
	losslessctl-fleet ingest --quiet --db "$work/fleet.db" "$1"
	losslessctl-fleet sql --db "$work/fleet.db" --csv 'SELECT host, verdict FROM hosts ORDER BY host'
}

they_are_ingested() {
	diff <(printf 'host,verdict\ngpu-node-1,in_sync\n') <(hosts_of "$work/reports/losslessctl")
}

# Make two hosts of this machine, by a stub of losslessctl. Its verify has a policy without ports.
prepare_hosts() {
	mkdir -p "$work/bin"
	echo '{"version":1,"profiles":{"p":{"mtu":9000}},"rules":[{"match":{"driver":"none"},
		"profile":"p","required":false}]}' >"$work/policy.json"
	cat >"$work/bin/losslessctl" <<-END
		#!/bin/sh
		[ "\$1 \$2" != 'verify --all' ] || set -- verify --all $work/policy.json --json
		exec $(realpath "${LOSSLESSCTL_BUILD:-build}")/losslessctl "\$@"
	END
	chmod +x "$work/bin/losslessctl"
}

collect() {
	ansible-playbook -i host-1,host-2, -c local -e ansible_become=false \
		-e ansible_python_interpreter=/usr/bin/python3 -e losslessctl_reports="$work/collected" \
		packaging/ansible/playbooks/collect.yml >"$work/said" 2>&1
}

ansible_collects() {
	local host
	prepare_hosts
	rm -rf "$work/collected"
	collect || tail -n 30 "$work/said"
	for host in host-1 host-2; do
		diff <(printf 'losslessctl/%s/1\n' verify show peer ready) \
			<(jq -r .schema "$work/collected/$host.ndjson")
	done
	diff <(printf 'host,verdict\n%s,in_sync\n' "$(hostname)") <(hosts_of "$work/collected")
}

# A host where losslessctl fails must not count as a host without drift.
a_host_that_cannot_answer_fails() {
	printf '#!/bin/sh\nexit 66\n' >"$work/bin/losslessctl"
	! collect || echo 'the play succeeds'
	grep -q 'failed=1' "$work/said" || tail -n 30 "$work/said"
}

rm -rf "$work/reports"
mkdir -p "$work/home"
trap nginx_stops EXIT
it "nginx is there" get_nginx
it "only those who are let in can send" only_those_who_are_let_in_can_send
it "a host's newest state is kept" the_newest_state_is_kept
it "nobody can read it there" nobody_reads_them_there
it "what was sent is ingested" they_are_ingested
it "Ansible collects the documents of all hosts" ansible_collects
it "a host that cannot answer fails" a_host_that_cannot_answer_fails
tap_end
