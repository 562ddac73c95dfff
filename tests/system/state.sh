#!/usr/bin/env bash
# only: 6.12
# Tests of verify --state: any machine judges a host's document as the host judges itself.
. tests/system/lib.sh
. tests/system/lib_agent.sh

policies=(packaging/policies/spectrum-x.json)
! is_long || policies=(packaging/policies/*.json)
live=()

# Print a report of verify without its time.
report() {
	losslessctl --json verify --all "$@" 2>&1 | sed 's/"observed_at":"[^"]*",//'
}

# says_alike NAME FILES WORD...: the host, with the options ${live[@]}, and each file print the same. Only
# on the host the advice is a command.
says_alike() {
	local name=$1 files=$2 file
	shift 2
	losslessctl "$@" "${live[@]}" 2>"$work/err" |
		sed -E 's/run `losslessctl apply[^`]*`( to repair the drift|$)/apply the policy on the host gpu-node-1\1/' >"$work/here"
	echo "exit code ${PIPESTATUS[0]}" >>"$work/here"
	for file in $files; do
		losslessctl "$@" --state "$work/$file.json" >"$work/there" 2>"$work/err"
		echo "exit code $?" >>"$work/there"
		cmp -s "$work/here" "$work/there" ||
			{ echo "$name, $*, $file:" && diff "$work/here" "$work/there" | head -20; }
	done
}

# judged_alike NAME: the host, its document and its bundle get the same report for each policy.
judged_alike() {
	local p n=0
	losslessctl --json show >"$work/show.json"
	rm -f "$work/bundle.json"
	losslessctl bundle --sample-for 1 "$work/bundle.json"
	losslessctl --json show --state "$work/show.json" >"$work/again.json"
	cmp "$work/show.json" "$work/again.json"
	says_alike "$1" 'show bundle' show -v
	says_alike "$1" 'show bundle' env "$policy"
	says_alike "$1" 'show bundle' verify "$policy"
	says_alike "$1" bundle ready --all -v
	says_alike "$1" bundle ready "$policy"
	live=(--sample-for 1 --listen-for 1)
	says_alike "$1" bundle doctor "$policy"
	live=()
	for p in "${policies[@]}" "$policy"; do
		report "$p" >"$work/here"
		report --state "$work/show.json" "$p" >"$work/there"
		report --state "$work/bundle.json" "$p" >"$work/bundled"
		cmp -s "$work/here" "$work/there" ||
			{ echo "$1, $p, show:" && diff <(tr , '\n' <"$work/here") <(tr , '\n' <"$work/there") | head -20; }
		cmp -s "$work/here" "$work/bundled" || echo "$1, $p: the bundle is judged otherwise"
		n=$((n + 1))
	done
	same policies $((${#policies[@]} + 1)) $n
	grep -q '"verdict":"' "$work/here" || echo 'no verdict'
}

# Another driver is shown and verified; nobody has tried to write through it.
other_driver() {
	reset_ports
	make_policy '{"mtu":9000}' $port
	losslessctl --json show $port | sed 's/"mlx5_core"/"ice"/g' >"$work/ice.json"
	expect 2 losslessctl verify --state "$work/ice.json" "$work/policy.json"
	expect 1 losslessctl plan --state "$work/ice.json" "$work/policy.json"
	says 'its driver is ice, and nobody has tried losslessctl with another than mlx5_core'
	expect 2 losslessctl plan --any-driver --state "$work/ice.json" "$work/policy.json"
}

as_started() { judged_alike 'as started'; }

as_applied() {
	losslessctl -q apply "$policy"
	judged_alike applied
	expect 0 losslessctl verify --state "$work/show.json" "$policy"
	ip link set $port mtu 2000
	judged_alike drifted
	expect 2 losslessctl verify --state "$work/show.json" "$policy"
	says 'mtu'
	losslessctl -q apply "$policy"
}

with_limits() {
	connectx $port ofed on
	connectx $port fault PFCC:read fail internal_err 0
	judged_alike 'a getter fails, another driver'
	connectx $port fault none
	connectx $port ofed off
	ip link add v0 link $port type vlan id 7
	connectx $port link down
	judged_alike 'no carrier, a VLAN device above'
	connectx $port link up
	ip link del v0
}

nothing_here_is_read() {
	losslessctl --json show >"$work/show.json"
	connectx $port fault PFCC:read fail internal_err 0
	ip link set $port mtu 2000
	expect 0 losslessctl verify --state "$work/show.json" "$policy"
	connectx $port fault none
	ip link set $port mtu 9000
	expect 0 losslessctl verify --state - "$policy" <"$work/show.json"
	expect 3 losslessctl verify --state "$work/show.json" "$policy" nobody0
	says 'no port nobody0'
	sed 's/"host":"[^"]*"/"host":"other-host"/' "$work/show.json" >"$work/other.json"
	expect 0 losslessctl --json verify --state "$work/other.json" "$policy"
	says '"host":"other-host"'
}

# The plan is the host's own, except for guards, which only the host can check: there is no traffic.
plans_alike() {
	losslessctl -q apply "$policy"
	for p in "${policies[@]}"; do
		losslessctl --json show >"$work/show.json"
		losslessctl --json plan "$p" 2>&1 | sed 's/"observed_at":"[^"]*",//' >"$work/here"
		losslessctl --json plan --state "$work/show.json" "$p" 2>&1 |
			sed 's/"observed_at":"[^"]*",//' >"$work/there"
		cmp -s "$work/here" "$work/there" || { echo "$p:" && head -c 300 "$work/here" "$work/there"; }
	done
	expect 2 losslessctl plan --state "$work/show.json" "$p"
	expect 0 losslessctl plan --state "$work/show.json" "$policy"
}

refused() {
	local code=$1 file=$2
	expect "$code" losslessctl verify --state "$file" "$policy"
	for text in "${@:3}"; do says "$text"; done
}

# Anonymised documents can be judged, except for matches by PCI address or MAC.
anonymous_ones_are_judged() {
	losslessctl -q apply "$policy"
	losslessctl bundle --anonymise >"$work/nobody.json"
	expect 0 losslessctl --json verify --state "$work/nobody.json" "$policy"
	says '"verdict":"in_sync"'
	same host '' "$(grep -o "\"$(uname -n)\"" "$work/out")"
	! grep -n 'made up' "$work/err"
	jq '.rules[0].match = {"pci": "*"}' "$policy" >"$work/by_pci.json"
	expect 0 losslessctl verify --state "$work/nobody.json" "$work/by_pci.json"
	says 'the bundle is anonymised: its addresses are made up, and rules of'
	expect 0 losslessctl show --state "$work/nobody.json"
	expect 2 losslessctl plan --state "$work/nobody.json" packaging/policies/nvidia-lossy-ecn.json
	losslessctl draft --state "$work/nobody.json" >"$work/drafted.json"
	expect 0 losslessctl verify "$work/drafted.json"
}

other_verbs_say_why() {
	local word
	for word in watch bundle; do
		expect 64 losslessctl $word --state "$work/show.json"
		says "\`$word\` takes no --state: "
	done
	expect 3 losslessctl ready --state "$work/show.json"
	says 'the document has no "ready"'
	expect 3 losslessctl doctor --state "$work/show.json" "$policy"
	says 'the document does not have the checks of ready'
	says 'not sampled: `losslessctl bundle --sample-for 10` does'
	for word in 'ready --require 1/3' "doctor --bundle $work/new.json" 'doctor --sample-for 1'; do
		expect 64 losslessctl $word --state "$work/show.json"
		says '--state is about a host that is not asked'
	done
	expect 3 losslessctl history --state "$work/show.json"
	says 'the document has no "history"'
	says 'losslessctl bundle'
	expect 3 losslessctl peer --state "$work/show.json"
	says 'the document does not have what the switch advertises (peer-not-collected)'
	expect 3 losslessctl draft --from switch --state "$work/show.json"
	says 'no switch was heard'
}

hostile_documents() {
	mkfifo "$work/fifo.json"
	refused 65 "$work/fifo.json" 'nobody writes to it'
	truncate -s 1G "$work/huge.json"
	refused 65 "$work/huge.json" 'larger than 32 MiB'
	sed "s/\"host\":\"[^\"]*\"/\"host\":\"$(head -c 65536 /dev/zero | tr '\0' h)\"/" \
		"$work/show.json" >"$work/bad.json"
	expect 0 losslessctl verify --state "$work/bad.json" "$policy"
	sed 's/"port":"ens1f0np0"/"port":"\\u001b[31mens1f0np0"/; s/"kernel":"/&\\u001b[2J\\u0007/' \
		"$work/show.json" >"$work/bad.json"
	losslessctl show --state "$work/bad.json" >"$work/out"
	same 'control characters' '' "$(tr -d '\n\t -~' <"$work/out")"
	sed "s/\"port\":\"ens1f0np0\"/\"port\":\"$(head -c 65536 /dev/zero | tr '\0' p)\"/" \
		"$work/show.json" >"$work/bad.json"
	refused 65 "$work/bad.json" 'at /ports/0/port'
	sed 's/"port":"ens1f1np1"/"port":"ens1f0np0"/' "$work/show.json" >"$work/bad.json"
	refused 65 "$work/bad.json" 'another port has the same name'
}

other_documents_are_refused() {
	refused 66 "$work/nowhere.json" 'No such file or directory'
	echo '{' >"$work/bad.json"
	refused 65 "$work/bad.json" 'line 2, column 0'
	refused 65 "$policy" 'neither a document of show nor a bundle'
	losslessctl --json verify "$policy" >"$work/verify.json"
	refused 65 "$work/verify.json" 'losslessctl show --json'
	refused 65 /dev/zero 'not a regular file or a pipe'
	yes '{"schema": [' | tr -d '\n' | head -c 300000 >"$work/deep.json"
	refused 65 "$work/deep.json" 'depth'
	losslessctl --json show >"$work/show.json"
	sed 's/"carrier":true/"carrier":7/' "$work/show.json" >"$work/bad.json"
	refused 65 "$work/bad.json" 'found the number 7, expected true or false' 'at /ports/0/device/carrier'
	sed 's/"prio_tc":\[[0-9]/"prio_tc":[200/' "$work/show.json" >"$work/bad.json"
	refused 65 "$work/bad.json" 'found the number 200, expected 0 to 7' 'at /ports/0/config/ets/prio_tc/0'
	expect 64 losslessctl verify --state "$work/show.json" --sample-for 1 "$policy"
	says '--state is about a host that is not asked'
	expect 64 losslessctl apply --state "$work/show.json" "$policy"
}

differences_are_named() {
	losslessctl -q apply "$policy"
	losslessctl --json show >"$work/a.json"
	losslessctl --json show >"$work/b.json"
	expect 0 losslessctl diff "$work/a.json" "$work/b.json"
	says 'are alike: '
	ip link set $port mtu 2000
	losslessctl bundle >"$work/b.json"
	expect 2 losslessctl diff "$work/a.json" "$work/b.json"
	says "$port"
	says ' mtu 9000 2000'
	says '1 difference'
	expect 2 losslessctl --json diff "$work/a.json" "$work/b.json"
	says "{\"port\":\"$port\",\"subject\":\"mtu\",\"known\":true,\"a\":9000,\"b\":2000}"
	ip link set $port mtu 9000
	connectx $port fault PFCC:read fail internal_err 0
	losslessctl --json show >"$work/b.json"
	connectx $port fault none
	expect 3 losslessctl diff "$work/a.json" "$work/b.json"
	says '0 differences, 6 unknown'
	expect 3 losslessctl --json diff "$work/a.json" "$work/b.json"
	says '"subject":"pfc.priorities","known":false'
	connectx $port ofed on
	losslessctl --json show >"$work/b.json"
	connectx $port ofed off
	expect 2 losslessctl diff "$work/a.json" "$work/b.json"
	grep -qE '^  ecn.np +unsupported +o' "$work/out" || cat "$work/out"
	losslessctl --json show $other >"$work/b.json"
	expect 2 losslessctl diff "$work/a.json" "$work/b.json"
	says " has $port"
	sed 's/"rpg_ai_rate_mbps":[0-9]*/"rpg_ai_rate_mbps":7/' "$work/a.json" >"$work/b.json"
	expect 2 losslessctl diff "$work/a.json" "$work/b.json"
	awk 'NR == 1 { match($0, /[^ ]/); column = RSTART }
		/rpg_ai_rate/ && match($0, / [0-9]/) && RSTART + 1 != column' "$work/out"
	expect 64 losslessctl diff
	says '`diff` compares two files'
	expect 64 losslessctl diff "$work/a.json"
	expect 66 losslessctl diff "$work/a.json" "$work/nowhere.json"
	expect 65 losslessctl diff "$policy" "$work/a.json"
	ip link set $port mtu 9000
}

it 'the host as it started is judged alike by each ready-made policy' as_started
it 'so is one in sync, and one that drifted' as_applied
it 'so are failing reads, another driver, a link that is down, devices above a port' with_limits
it 'nothing of this machine is read' nothing_here_is_read
it 'plan is alike, too' plans_alike
it 'diff names what two documents differ in' differences_are_named
it 'other documents and hostile ones are refused, and say where' other_documents_are_refused
it 'an anonymous bundle is judged, and describes its host' anonymous_ones_are_judged
it 'verbs that need more than a document say why' other_verbs_say_why
it 'names of 64 KiB, control characters, 1 GiB and a FIFO do no harm' hostile_documents
it 'ports of another driver are verified, and written to on request only' other_driver
tap_end
