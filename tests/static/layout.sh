# shellcheck shell=bash
# Tests of the places of files, and of the scripts.

top_level() {
	local name
	for name in * .[!.]*; do
		case $name in
		meson.build | meson_options.txt | agent | dcb | roce | policy | cli | tests | packaging) ;;
		README.md | LICENSE | CHANGELOG.md | CONTRIBUTING.md | SECURITY.md) ;;
		build* | .*) ;; # git ignores build directories
		*) echo "$name" ;;
		esac
	done
}

# scripts: print every script of bash or sh.
scripts() {
	find tests packaging .ci -type f -not -path '*/build/*' -exec awk \
		'FNR == 1 { if ($0 ~ /^#!.*[\/ ](ba|da)?sh( |$)/) print FILENAME; nextfile }' {} + | sort
}

# Scripts are checked with what they source. A sourced file alone cannot say who sets a variable, and who
# reads it.
scripts_are_clean() {
	local list sourced
	mapfile -t list < <(scripts)
	mapfile -t sourced < <(grep -rlE '^# shellcheck shell=' --include='*.sh' tests packaging)
	[ "${#list[@]}" -ge 4 ] || echo "only ${#list[@]} scripts"
	found shellcheck --format=gcc --severity=warning --exclude=SC2034,SC2120,SC2154 "${sourced[@]}"
	shellcheck --format=gcc --severity=warning --external-sources --source-path=SCRIPTDIR:. "${list[@]}"
}

# Leave out tests/vm/boot, which is copied into the guest and run there.
scripts_can_run() {
	local file
	for file in $(scripts | found grep -v '^tests/vm/boot/'); do
		[ -x "$file" ] || echo "$file has no run bit"
	done
}

# A case with a missing file would test less than it seems to.
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

# Names are unit/ROOM/test_SOURCE.c or test_SOURCE_ASPECT.c.
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

# A document names a file from the top of the tree or from its own directory; its name alone may be
# anywhere. Words in capitals stand for names. Other paths are the kernel's, a host's or a build's.
documents_name_files_that_exist() {
	local document path elsewhere='-|/|net/|drivers/|fs/|mlx5/|ecn/|auxiliary/|build/|unit/fuzz/'
	for document in packaging/docs/architecture.md CONTRIBUTING.md tests/README.md; do
		sed '/^```/,/^```/d' "$document" | grep -oE '`[^`]+`' | sed -E 's/^`//; s/[` ].*//; s/[A-Z]{2,}/*/g' |
			sort -u | grep -E '/|[.](c|h|sh|py|def|tsv|md|build)$' | grep -vE "^($elsewhere)" |
			while read -r path; do
				if [[ $path == */* ]]; then
					compgen -G "${path%/}" || compgen -G "${document%/*}/${path%/}"
				else
					git ls-files -- ":(glob)**/$path" | grep .
				fi >/dev/null || echo "$document: there is no $path"
			done
	done
}

layout_tests() {
	it "the top level holds only the agreed names" top_level
	((!${LOSSLESSCTL_TEST_LONG:-0})) || it "shellcheck finds nothing in the scripts" scripts_are_clean
	it "every script can be run" scripts_can_run
	it "every unit test is named after a source of the product" unit_tests_mirror_sources
	it "every case of a policy is complete" cases_are_complete
	it "architecture.md, CONTRIBUTING.md and tests/README.md name files that exist" documents_name_files_that_exist
}
