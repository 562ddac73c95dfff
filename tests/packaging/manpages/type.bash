#!/usr/bin/env bash
# type.bash FILE: what each line of standard input becomes when bash, with the completion in FILE,
# is asked to complete it. There is no program that it could start.
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
