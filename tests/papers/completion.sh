# shellcheck shell=bash
# Completion, in the shells themselves: tests/papers/lines.

declare -A completion=(
	[bash]=$built/losslessctl [zsh]=$built/_losslessctl [fish]=$built/losslessctl.fish)

play_host() {
	mkdir -p "$work"/sys/class/net/{ens1f0np0,ens2f0np0}/device "$work/sys/class/net/bond0" \
		"$work/policies.d"
	touch "$work"/{gpu.json,notes.txt}
}

# lines [SENTENCE]: "typed | becomes", all of them or those below the sentence.
lines() {
	awk -v of="${1-}" -v host="$work" '/^#/ { next } /^[^\t]/ { within = !of || $0 == of; next }
		within { gsub(/@/, host); print substr($0, 2) }' "$here/lines"
}

in_shell() {
	case $1 in
	bash) "$here/type.bash" "${completion[bash]}" ;;
	zsh) "$here/type.zsh" "$built" ;;
	fish) HOME=$work fish --no-config "$here/type.fish" "${completion[fish]}" ;;
	esac
}

# Each shell is started once, for all lines.
type_lines() {
	lines | sed 's, | .*,,; s,^,losslessctl ,' | in_shell "$1" | sed 's,[ =/]*$,,' >"$work/$1"
}

becomes() {
	local typed wanted seen count=0
	while read -r typed; do
		count=$((count + 1))
		wanted=${typed#* | } typed=${typed% | *}
		seen=$(paste -d '|' <(lines) "$work/$1" | awk -F '|' -v t="$typed " '$1 == t { print $3 }')
		[ "$seen" = "losslessctl $wanted" ] || echo "$typed became ${seen#* }"
	done < <(lines "$2")
	[ "$count" -gt 3 ] || echo "only $count lines"
}

# Nothing is lost between the tables and the shell.
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
