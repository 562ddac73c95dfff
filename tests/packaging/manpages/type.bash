#!/usr/bin/env bash
# type.bash FILE: print each line of standard input as bash completes it, with the completion in
# FILE. PATH is empty, so that the completion starts no program.
set -euo pipefail

# shellcheck source=/dev/null
. "$1"
complete=$(complete -p losslessctl)
complete=${complete#*-F } complete=${complete% losslessctl}
# shellcheck disable=SC2123
PATH=

while IFS= read -r line; do
	read -ra COMP_WORDS <<<"${line//=/ = }" # as readline hands it over
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	"$complete" || true
	[ "${#COMPREPLY[@]}" -ne 1 ] || line=${line%"${COMP_WORDS[COMP_CWORD]}"}${COMPREPLY[0]}
	echo "$line"
done
