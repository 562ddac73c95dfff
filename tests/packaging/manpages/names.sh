# shellcheck shell=bash
# What the program itself says that there is: one name a line.

verbs() {
	"$program" --help | awk '/^options of/ { exit } /^  [a-z]/ { print $1 }'
}

# options [VERB]: with a verb those that only some have.
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

# Whatever `explain` explains, "NAME<tab>SENTENCE".
explained() {
	"$program" --json explain | jq -r 'to_entries[] | select(.value | type == "array") |
		.value[] | [(to_entries[1].value | tostring), .description] | @tsv'
}
