#!/usr/bin/env bash
# Tests of the built and installed Ansible collection: linters find nothing, the documentation is
# correct, and the module reports the results of losslessctl. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

source=packaging/ansible
work=$PWD/build/fleet/ansible
python=/usr/bin/python3 # has Ansible
nic=$work/collections/ansible_collections/losslessctl/nic
export HOME=$work/home ANSIBLE_COLLECTIONS_PATH=$work/collections ANSIBLE_NOCOLOR=1 NO_COLOR=1
export ANSIBLE_LOCALHOST_WARNING=0 ANSIBLE_INVENTORY_UNPARSED_WARNING=0 PYTHONDONTWRITEBYTECODE=1

# quiet COMMAND…: print the command's output only if the command fails.
quiet() {
	"$@" >"$work/said" 2>&1 </dev/null || { echo "exit code $? of: $*" && tail -n 30 "$work/said"; }
}

it_is_built_and_installed() {
	quiet ansible-galaxy collection build --output-path "$work" "$source"
	quiet ansible-galaxy collection install --offline --collections-path "$work/collections" \
		"$work"/losslessctl-nic-*.tar.gz
	quiet ansible-galaxy collection verify --offline losslessctl.nic
}

it_has_the_version_of_losslessctl() {
	diff <(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build) \
		<(sed -n 's/^version: //p' $source/galaxy.yml)
}

yaml_is_clean() {
	(cd $source && yamllint --strict .)
}

# Check the count of linted files as well: ansible-lint finds few in a directory that it misjudges.
lint_finds_nothing() {
	(cd $source && quiet ansible-lint --offline --strict --profile production)
	grep -qE 'on 1[0-9] files' "$work/said" || tail -n 5 "$work/said"
}

ansible_doc_tells_of() {
	quiet ansible-doc "$@"
	found grep -E '^(ERROR|\[(WARNING|DEPRECATION))' "$work/said"
}

# options_of VERB: print the verb's options as the module spells them, without those of a shell or a
# container.
options_of() {
	build/losslessctl "$1" --help | sed -n '/^options:/,/--json/s/^  --\([a-z-]*\) .*/\1/p' |
		grep -vE 'json|dry-run|trust-read-only-mount' | tr - _ | sort
}

documented() {
	ansible-doc --json losslessctl.nic.policy |
		jq -r '.[].doc.options | del(.path, .content, .ports) | keys[]'
}

accepted() {
	$python - "$nic/plugins/modules" <<-END
		import sys
		sys.path.insert(0, sys.argv[1])
		import policy
		print("\n".join(sorted(policy.argument_spec().keys() - {"path", "content", "ports"})))
	END
}

every_option_of_apply_is_one_of_the_module() {
	diff <(options_of apply) <(documented)
	diff <(documented) <(accepted)
}

every_variable_of_the_role_is_told() {
	local role=$nic/roles/losslessctl
	diff <(sed -n 's/^\(losslessctl_[a-z_]*\):.*/\1/p' "$role/defaults/main.yml" | sort) \
		<(sed -n 's/^      \(losslessctl_[a-z_]*\):$/\1/p' "$role/meta/argument_specs.yml" |
			grep -v '^losslessctl_policy$' | sort)
}

# blocks LANGUAGE: write each block of code in the README to its own file.
blocks() {
	awk -v language="$1" -v folder="$work/blocks" '
		/^```/ { inside = !inside && $0 == "```" language ? ++count : 0; next }
		inside { print >(folder "/" inside "." (language ? language : "txt")) }' $source/README.md
}

the_readme_is_true() {
	local line words
	mkdir -p "$work/blocks" && cd "$work/blocks" && touch gpu-backend.json
	cd "$OLDPWD" && blocks yaml && blocks '' && cd "$work/blocks"
	cp 1.yaml inventory.yml
	ansible-inventory -i inventory.yml --list |
		jq -e '.all.children, ._meta.hostvars["gpu-node-1000"].losslessctl_policy' >"$work/said" ||
		cat "$work/said"
	quiet ansible-playbook --syntax-check 2.yaml
	while read -r line; do
		[[ $line == ansible-playbook* ]] || continue
		read -ra words <<<"$line"
		quiet "${words[@]}" --syntax-check
	done < <(cat ./*.txt)
}

syntax_is_right_for_python_3_6() {
	$python - "$nic/plugins/modules/policy.py" <<-END
		import ast, sys
		ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))
	END
}

# The stub of losslessctl prints prepared output, and records its arguments and standard input.
make_stub() {
	mkdir -p "$work/bin"
	cat >"$work/bin/losslessctl" <<-END
		#!/bin/sh
		echo "\$*" >"$work/words"
		case " \$* " in *" - "*) cat >"$work/input" ;; esac
		cat "$work/out"
		cat "$work/err" >&2
		exit \$(cat "$work/code")
	END
	chmod +x "$work/bin/losslessctl"
}

# module CODE DOCUMENT ARGUMENTS FILTER: print the module's answer to this code and document.
module() {
	echo "$1" >"$work/code"
	echo "$2" >"$work/out"
	echo "${stderr-}" >"$work/err"
	jq -n --argjson arguments "$3" '{ ANSIBLE_MODULE_ARGS: $arguments }' >"$work/arguments"
	PATH=$work/bin:$PATH $python "$nic/plugins/modules/policy.py" "$work/arguments" |
		jq -c "$4"
}

same() {
	[ "$1" = "$2" ] || printf 'expected: %s\ngot:      %s\n' "$1" "$2"
}

# answers EXPECTED CODE DOCUMENT [ARGUMENTS]: compare changed, failed, outcome, and the message,
# which begins with the exit code.
answers() {
	same "$1" "$(module "$2" "$3" "${4-"{}"}" '[.changed, .failed // false, .outcome,
		(.msg // "" | ltrimstr("losslessctl exited with '"$2"': "))]')"
}

check='{"_ansible_check_mode": true}'
step='{"feature":"mtu","disrupts":"traffic","changes":{"mtu":{"from":1500,"to":9000}}}'

# ran VERB KEYS: print the document of a verb.
ran() {
	printf '{"schema":"losslessctl/%s/1","policy":{"name":"gpu"},%s}' "$1" "$2"
}

a_plan_with_steps_is_a_change() {
	answers '[true,false,"applied",""]' 2 \
		"$(ran plan "\"changes\":1,\"ports\":[{\"port\":\"a\",\"steps\":[$step]}]")" "$check"
}

a_plan_without_is_none() {
	answers '[false,false,"unchanged",""]' 0 \
		"$(ran plan '"changes":0,"ports":[{"port":"a","steps":[]}]')" "$check"
}

a_plan_that_apply_would_refuse_fails() {
	answers '[false,true,"refused","a: lldpad: it writes, too: stop it"]' 1 \
		"$(ran plan '"ports":[{"port":"a","steps":[],"refusals":
			[{"subject":"lldpad","message":"it writes, too","fix":"stop it"}]}]')" "$check"
	answers '[false,true,"refused","others may change it: move it"]' 1 \
		"$(ran plan '"refusals":[{"subject":"policy-file","message":"others may change it",
			"fix":"move it"}],"ports":[{"port":"a","steps":[]}]')" "$check"
}

an_apply_is_a_change_where_it_wrote() {
	answers '[true,false,"applied",""]' 0 \
		"$(ran apply "\"outcome\":\"applied\",\"ports\":[{\"port\":\"a\",\"outcome\":\"unchanged\",
			\"steps\":[]},{\"port\":\"b\",\"outcome\":\"applied\",\"steps\":[$step]}]")"
	answers '[true,false,"awaiting_confirmation",""]' 0 \
		"$(ran apply "\"outcome\":\"awaiting_confirmation\",\"ports\":[{\"port\":\"a\",
			\"outcome\":\"awaiting_confirmation\",\"steps\":[$step]}]")"
	answers '[false,false,"unchanged",""]' 0 \
		"$(ran apply '"outcome":"unchanged","ports":[
			{"port":"a","outcome":"unchanged","steps":[]}]')"
}

failed_after='"error":{"where":"b: writing ets","message":"no"},"ports":[
	{"port":"a","outcome":"applied","steps":[STEP]},
	{"port":"b","outcome":"failed","steps":[STEP],
	 "error":{"where":"b: writing ets","message":"no"}},
	{"port":"c","outcome":"not_attempted","steps":[STEP]}]'

a_port_that_was_put_back_is_no_change() {
	local document
	document=$(ran apply '"outcome":"failed",'"${failed_after//STEP/$step}")
	answers '[true,true,"failed","b: writing ets: no"]' 1 "$document"
	same '["a"]' "$(module 1 "$document" '{}' '[.diff[].before_header]')"
}

a_partially_configured_port_is_named() {
	local why='a: mtu was not rolled back: it is 9000, and was 1500'
	answers "[true,true,\"rollback_failed\",\"$why\"]" 4 \
		"$(ran apply '"outcome":"rollback_failed","ports":[{"port":"a","outcome":"rollback_failed","steps":[],
			"not_rolled_back":[{"setting":"mtu","actual":9000,"previous":1500}]}]')"
}

errors_have_its_words() {
	local code
	for code in 3 64 65 75 77 143; do
		answers "[false,true,\"error\",\"here: no: try that\"]" $code \
			'{"schema":"losslessctl/error/1","where":"here","message":"no","fix":"try that"}'
	done
	stderr='no such option' answers '[false,true,"error","no such option"]' 64 ''
}

success_without_a_report_fails() {
	answers '[false,true,"error","losslessctl reported nothing"]' 0 ''
}

the_diff_is_in_the_words_of_plan() {
	local document
	document=$(ran plan '"ports":[{"port":"a","steps":[
		{"changes":{"pfc.priorities":{"from":[],"to":[3,4]},"pause.rx":{"from":true,"to":false}}},
		{"changes":{"dscp.prio":{"from":{"0":null},"to":{"26":3,"0":0,"1":0}},
		 "roce.mode":{"from":null,"to":"v2"}}}]}]')
	same '[{"before":"pfc.priorities: none\npause.rx: on\ndscp.prio: none\nroce.mode: unknown\n",'\
'"after":"pfc.priorities: 3 4\npause.rx: off\ndscp.prio: 0-1:0 26:3\nroce.mode: v2\n",'\
'"before_header":"a","after_header":"a by gpu"}]' \
		"$(module 2 "$document" "$check" .diff)"
}

# asks WORDS ARGUMENTS: compare the command line of losslessctl.
asks() {
	module 0 '{}' "$2" . >"$work/said" || true # the stub has no report
	same "$1" "$(<"$work/words")"
}

options_come_through() {
	asks '--json apply --' '{}'
	asks "--json apply --no-link-flap --allow-disruption --allow-other-netns --keep-going --lock-timeout 0 \
--confirm-within 9 -- /p.json a b" \
		'{"path":"/p.json","ports":["a","b"],"no_link_flap":true,"allow_disruption":true,
		  "keep_going":true,"allow_other_netns":true,"lock_timeout":0,"confirm_within":9}'
	asks '--json plan --no-link-flap -- -' '{"content":{"version":1},"no_link_flap":true,
		"lock_timeout":5,"keep_going":true,"_ansible_check_mode":true}'
	same '{"version": 1}' "$(<"$work/input")"
}

# The first check of a host must not fail at a missing directory, program or policy.
a_fresh_host_can_be_checked() {
	echo 0 >"$work/code"
	ran plan '"ports":[{"port":"a","steps":[]}]' >"$work/out"
	echo "host ansible_connection=local ansible_python_interpreter=$python" >"$work/hosts"
	PATH=$work/bin:$PATH quiet ansible-playbook -i "$work/hosts" --check losslessctl.nic.rolling \
		-e '{"ansible_become": false, "losslessctl_package": "", "losslessctl_at_boot": false,
			"losslessctl_verify": false}' \
		-e "losslessctl_policy=$PWD/packaging/examples/gpu-backend.json"
	same '--json plan -- -' "$(<"$work/words")"
	jq -n --slurpfile got "$work/input" \
		--slurpfile wished packaging/examples/gpu-backend.json \
		'if $got == $wished then empty else "it planned with another policy" end'
}

units_are_those_of_ours() {
	local unit
	for unit in $(sed -n 's/^ *name: \(losslessctl[a-z-]*\.[a-z]*\)$/\1/p' \
		$source/roles/losslessctl/*/main.yml); do
		[ -e "packaging/systemd/$unit" ] || [ -e "packaging/systemd/$unit.in" ] || echo "no $unit"
	done
}

rm -rf "$work"
mkdir -p "$HOME"
make_stub
it 'it is built, installed and verified' it_is_built_and_installed
it 'it has the version of losslessctl' it_has_the_version_of_losslessctl
it 'yamllint finds nothing' yaml_is_clean
it 'ansible-lint finds nothing' lint_finds_nothing
it 'ansible-doc documents the module' ansible_doc_tells_of losslessctl.nic.policy
it 'ansible-doc documents the role' ansible_doc_tells_of -t role losslessctl.nic.losslessctl
it 'every option of apply is one of the module' every_option_of_apply_is_one_of_the_module
it 'every variable of the role is documented' every_variable_of_the_role_is_told
it 'the README has what Ansible takes' the_readme_is_true
it 'Python 3.6 can read the module' syntax_is_right_for_python_3_6
it 'a plan with steps is a change' a_plan_with_steps_is_a_change
it 'a plan without steps is none' a_plan_without_is_none
it 'a plan that apply would refuse fails' a_plan_that_apply_would_refuse_fails
it 'an apply is a change where it wrote' an_apply_is_a_change_where_it_wrote
it 'a port that was rolled back is no change' a_port_that_was_put_back_is_no_change
it 'a partially configured port is named' a_partially_configured_port_is_named
it 'errors have the words of losslessctl' errors_have_its_words
it 'success without a report fails' success_without_a_report_fails
it 'the diff is in the words of plan' the_diff_is_in_the_words_of_plan
it 'options come through' options_come_through
it 'a fresh host can be checked, with the new policy' a_fresh_host_can_be_checked
it 'the units that the role enables are installed' units_are_those_of_ours
tap_end
