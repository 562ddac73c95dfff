# shellcheck shell=bash
# What lies where, and the scripts.

top_level() {
	local name
	for name in * .[!.]*; do
		case $name in
		meson.build | meson_options.txt | agent | dcb | roce | policy | cli | tests | packaging) ;;
		README.md | LICENSE | CHANGELOG.md | CONTRIBUTING.md | SECURITY.md) ;;
		build* | .*) ;; # build folders are ignored by git
		*) echo "$name" ;;
		esac
	done
}

# scripts: every file of ours that bash or sh runs.
scripts() {
	find tests packaging .ci -type f -not -path '*/build/*' -exec awk \
		'FNR == 1 { if ($0 ~ /^#!.*[\/ ](ba|da)?sh( |$)/) print FILENAME; nextfile }' {} + | sort
}

# In the long run what a script sources is looked at with it, which takes three times as long;
# without, and in a file for others to source, nobody knows who sets a variable and who reads it.
scripts_are_clean() {
	local list sourced alone=--exclude=SC2034,SC2120,SC2154 with=(--external-sources --source-path=SCRIPTDIR:.)
	((${LOSSLESSCTL_TEST_LONG:-0})) || with=("$alone")
	mapfile -t list < <(scripts)
	mapfile -t sourced < <(grep -rlE '^# shellcheck shell=' --include='*.sh' tests packaging)
	[ "${#list[@]}" -ge 4 ] || echo "only ${#list[@]} scripts"
	found shellcheck --format=gcc --severity=warning "$alone" "${sourced[@]}"
	shellcheck --format=gcc --severity=warning "${with[@]}" "${list[@]}"
}

# tests/vm/boot is copied into the guest and run there.
scripts_can_run() {
	local file
	for file in $(scripts | found grep -v '^tests/vm/boot/'); do
		[ -x "$file" ] || echo "$file has no run bit"
	done
}

# A case that lacks a file would test less than it seems to.
cases_are_complete() {
	local folder file
	for folder in tests/policies/valid/*/; do
		for file in policy.json check.json warnings; do
			[ -e "$folder$file" ] || echo "$folder$file is missing"
		done
	done
	for folder in tests/policies/invalid/*/; do
		for file in error exit; do
			[ -e "$folder$file" ] || echo "$folder$file is missing"
		done
	done
}

# unit/ROOM/test_SOURCE.c or test_SOURCE_ASPECT.c.
unit_tests_mirror_sources() {
	local file source
	for file in tests/unit/**/test_*.c; do
		source=${file#tests/unit/}
		source=${source%/*}/${source##*/test_}
		source=${source%.c}
		while [ ! -e "$source.c" ] && [[ ${source##*/} == *_* ]]; do source=${source%_*}; done
		[ -e "$source.c" ] || echo "$file is named after no source of the product"
	done
}

layout_tests() {
	it "the top level holds only the agreed names" top_level
	it "shellcheck finds nothing in the scripts" scripts_are_clean
	it "every script can be run" scripts_can_run
	it "every unit test is named after a source of the product" unit_tests_mirror_sources
	it "every case of a policy is complete" cases_are_complete
}
