# shellcheck shell=bash
# Print the names that the program itself lists, one a line.

verbs() {
	"$program" --help | awk '/^options of/ { exit } /^  [a-z]/ { print $1 }'
}

# options [VERB]: print the options of all verbs, or those that are specific to VERB.
options() {
	"$program" "$@" --help | awk -v own="${1:+1}" '
		/^options/ { within = !own || /^options:/ }
		within && match($0, /^  (-., )?--[a-z-]+/) { sub(/.*--/, "--", $1); print ($1 ~ /,$/ ? $2 : $1) }'
}

every_option() {
	local verb
	{
		options
		for verb in $(verbs); do
			options "$verb"
		done
	} | sort -u
}

# explained: print "NAME<tab>SENTENCE" of each name that `explain` knows.
explained() {
	"$program" --json explain | jq -r 'to_entries[] | select(.value | type == "array") |
		.value[] | [(to_entries[1].value | tostring), .description] | @tsv'
}
