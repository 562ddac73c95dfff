#!/usr/bin/env bash
# short: 6.12
# Every key of a JSON document stands in losslessctl-report(5), where the document is told or among
# the parts of several.
. tests/system/lib.sh

page=${LOSSLESSCTL_BUILD:-build}/packaging/papers/losslessctl-report.5

# "SCHEMA KEY" of the documents on standard input. What is below these names is named by others:
# settings, ports, counters.
keys() {
	jq -r 'def free: ["config", "changes", "derived", "want", "have", "from", "to", "values", "match",
			"counters", "kernel", "advertised", "peer", "now", "before", "value_schema"];
		.schema as $schema | paths as $p | $p[:-1] as $above | $p[-1] | strings |
		select($above | any(.[]; IN(free[])) or (index("items") and index("policy")) | not) |
		"\($schema) \(.)"' | sort -u
}

# told FILE: those that the page does not have.
told() {
	awk -v keys="$1" '
		/^[.]S[hs]/ { delete here; here[/SEVERAL DOCUMENTS/ ? "all" : ""] }
		/^[.]Ss losslessctl/ { gsub(/,/, ""); for (i = 2; i <= NF; i++) here[$i] }
		/^[.]/ && / Cm |^[.]Cm / {
			gsub(/[?][\\]&/, "")
			for (i = 2; i <= NF; i++) for (s in here) known[s " " $i]
		}
		END {
			while ((getline line <keys) > 0) {
				split(line, word)
				if (word[2] != "schema" && !("all " word[2] in known) && !(line in known))
					print line
			}
		}' "$page"
}

# tells CODE WORD...: what the verb prints is kept for are_told.
tells() {
	expect "$1" losslessctl --json "${@:2}"
	cat "$work/out" >>"$work/documents"
}

are_told() {
	keys <"$work/documents" >"$work/keys"
	[ "$(wc -l <"$work/keys")" -ge "$1" ] || echo "only $(wc -l <"$work/keys") keys"
	told "$work/keys"
	rm "$work/documents"
}

what_only_reads() {
	tells 0 check --expand tests/policies/valid/when/policy.json
	tells 0 check tests/policies/valid/every-warning-at-once/policy.json
	tells 0 check tests/policies/valid/classes/policy.json
	tells 0 show
	tells 2 plan "$policy"
	tells 3 peer --listen 1 $port "$policy"
	tells 0 watch --count 1 $port
	tells 0 headroom --speed 100G --mtu 9000 --cable 7
	tells 0 explain pfc.priorities
	tells 0 drift
	are_told 90
}

an_apply_and_its_end() {
	tells 0 apply "$policy"
	wait_carrier
	tells 0 verify --all "$policy"
	mlx5sim $port poke pfc 0
	tells 2 verify --counters 1 "$policy" $port
	tells 0 apply --confirm-within 60 "$policy"
	tells 0 confirm
	tells 1 confirm
	wait_carrier
	tells 0 rollback
	are_told 40
}

what_is_refused() {
	jq '.profiles.roce.ecn.np = true' "$policy" >"$work/refused.json"
	tells 1 plan "$work/refused.json" $port
	tells 1 apply "$work/refused.json" $port
	tells 2 verify "$work/refused.json" $port
	are_told 30
}

mistakes() {
	tells 64 verfy
	tells 65 check tests/policies/invalid/a-list/policy.json
	are_told 7
}

what_the_agent_keeps() {
	losslessctl agent --look 1 "$policy" >/dev/null 2>&1 &
	for _ in $(seq 100); do
		[ ! -e /run/losslessctl/status.json ] || break
		sleep 0.1
	done
	cat /run/losslessctl/status.json >"$work/documents"
	kill $!
	wait $!
	tells 0 drift
	are_told 20
}

it 'what only reads' what_only_reads
it 'an apply, and how it ends' an_apply_and_its_end
it 'what is refused' what_is_refused
it 'mistakes' mistakes
it 'what the agent keeps' what_the_agent_keeps
tap_end
