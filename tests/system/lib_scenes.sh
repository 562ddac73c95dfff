# shellcheck shell=bash
# Tables of scenes, `scenes` and `verdicts`: a line with a name begins a row, an indented line with
# `scene` or `neighbour` and words a part of it. Further indented lines are keys with values.

# each_scene TABLE PLAY: call PLAY for each part, with the associative array `row`: its name, its kind, its
# words, and its keys. A key that comes again adds a line to its value. Keys below `beside` begin so.
each_scene() {
	local lines line key value name='' beside=''
	local -A row=()
	mapfile -t lines <"$1"
	for line in "${lines[@]}"; do
		case $line in
		'' | '#'*) continue ;;
		[!$'\t']*)
			name=$line
			continue
			;;
		esac
		read -r key value <<<"$line"
		case $key in
		scene | neighbour)
			[ -z "${row[kind]-}" ] || "$2"
			row=([name]=$name [kind]=$key [words]=$value)
			beside=
			;;
		beside)
			row[beside]=$value
			beside=beside_
			;;
		*) row[$beside$key]=${row[$beside$key]+${row[$beside$key]}$'\n'}$value ;;
		esac
	done
	"$2"
}
