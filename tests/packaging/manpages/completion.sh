# shellcheck shell=bash
# Tests of completion in the real shells, with the rows of tests/packaging/manpages/lines.

declare -A completion=(
	[bash]=$built/losslessctl [zsh]=$built/_losslessctl [fish]=$built/losslessctl.fish)

play_host() {
	mkdir -p "$work"/host/sys/class/net/{ens1f0np0,ens2f0np0}/device \
		"$work"/host/sys/class/net/bond0 "$work/host/policies.d"
	touch "$work"/host/{gpu.json,notes.txt}
}

# lines: print the rows as "sentence | typed | becomes".
lines() {
	awk -v host="$work/host" '/^#/ { next } /^[^\t]/ { sentence = $0; next }
		{ gsub(/@/, host); print sentence " | " substr($0, 2) }' "$here/lines"
}

in_shell() {
	case $1 in
	bash) "$here/type.bash" "${completion[bash]}" ;;
	zsh) "$here/type.zsh" "$built" ;;
	fish) HOME=$work fish --no-config "$here/type.fish" "${completion[fish]}" ;;
	esac
}

# type_lines SHELL: start the shell once for all rows.
type_lines() {
	lines | awk -F ' [|] ' '{ print "losslessctl " $2 }' | in_shell "$1" |
		sed 's,[ =/]*$,,' >"$work/$1"
}

# becomes SHELL SENTENCE: compare the completed lines below the sentence.
becomes() {
	paste -d '|' <(lines) "$work/$1" | awk -F ' *[|] *' -v of="$2" '
		$1 == of && ++n && $4 != "losslessctl " $3 { print "\"" $2 "\" became \"" $4 "\"" }
		END { if (n < 4) print "only " n + 0 " lines" }'
}

# The completion must have every name of the program's tables.
nothing_is_missing() {
	local text name
	text=$(<"${completion[$1]}")
	while read -r name; do
		[[ $1 != fish ]] || name=${name/#--/-l }
		[[ $text == *"$name"* ]] || echo "$name"
	done < <(verbs && every_option && explained | cut -f 1)
}

completion_tests() {
	local shell sentence
	play_host
	for shell in bash zsh fish; do
		it "$shell comes to its end" type_lines $shell
		while read -r sentence; do
			it "$shell completes $sentence" becomes $shell "$sentence"
		done < <(grep -v '^[#[:space:]]' "$here/lines")
		it "$shell has every verb, option and name" nothing_is_missing $shell
	done
	it "shellcheck finds nothing in bash's" shellcheck --format=gcc "${completion[bash]}"
}
