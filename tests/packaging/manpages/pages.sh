# shellcheck shell=bash
# Tests of the manual pages, which must have no mistake and describe everything the program has.

pages=("$built/losslessctl.8" "$built/losslessctl-policy.5" "$built/losslessctl-report.5")

lint() {
	found mandoc -Tlint -W warning "${pages[@]}"
}

# are_items FORMAT: check that each word of standard input is an item of a list, as a line of mdoc.
are_items() {
	local word
	while read -r word; do
		grep -qE -- "$(printf "$1" "${word//./[.]}")" "${pages[@]}" || echo "$word"
	done
}

verbs_are_told() {
	verbs | are_items '^[.]It Cm %s( |$)'
}

options_are_told() {
	every_option | sed 's/^-//' | are_items '^[.]It .*Fl %s( |$)'
}

# Print "VERB OPTION" for each option that follows a verb in a page, a document or a text of `explain`.
named_options() {
	{
		mandoc -T ascii -O width=1000 "${pages[@]}" | col -b
		cat README.md packaging/docs/*.md
		"$program" --json explain | jq -r '.. | strings'
	} | grep -oE "(^|[^a-z-])($(verbs | paste -sd '|'))( -[a-zA-Z]+| --[a-z-]+| [A-Z0-9][A-Z0-9.:/]*)+" |
		sed 's/^[^a-z]*//' | awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^--/) print $1, $i }' | sort -u
}

options_are_of_their_verbs() {
	local verb option count=0
	while read -r verb option; do
		"$program" help "$verb" | grep -qE -- "$option([ ,=[]|$)" || echo "$verb $option"
		count=$((count + 1))
	done < <(named_options)
	[ $count -ge 30 ] || echo "only $count options"
}

exit_codes_are_told() {
	"$program" --json explain | jq -r '.exit_codes[].exit_code' | are_items '^[.]It Sy %s$'
}

events() { tr -d ' \n\t' <agent/host/log.c | grep -oE '"[0-9a-f]{32}","[a-z-]+"' | cut -d '"' -f 4 | sort -u; }

events_are_told() {
	[ "$(events | wc -l)" -gt 20 ] || events
	events | are_items '^[.]It Cm (.* )?%s( |$)'
	grep -oE 'LOSSLESSCTL_[A-Z]+=' agent/host/log.c | tr -d = |
		while read -r word; do grep -qE "^[.]Ev $word( |$)" "${pages[0]}" || echo "$word"; done
}

# Print the pages as the reader sees them, in one line without hyphenation.
as_read() {
	mandoc -T ascii -O width=1000 "${pages[@]}" | col -b | tr -s '\n\t ' ' '
}

# The pages must have each name with its meaning beside it.
names_are_told() {
	local text name says
	text=$(as_read)
	while IFS=$'\t' read -r name says; do
		says=${says%.}
		[[ $text == *"$name $says"* || $text == *"$name ${says@u}"* ]] || echo "$name: $says"
	done < <(explained)
}

# The pages must have the other fields of each name: its kernel interface, cause, fix, rationale.
fields_are_told() {
	local text says
	text=$(as_read)
	while IFS= read -r says; do
		[[ $text == *"${says%.}"* || $text == *"${says@u}"* ]] || echo "$says"
	done < <("$program" --json explain | jq -r 'to_entries[] | select(.value | type == "array") |
		.value[] | .kernel_interface, .command, .details, .cause, .fix, .rationale | strings')
}

# policies FOLDER: write each policy of the pages to its own file.
policies() {
	awk -v folder="$1" '
		/^[.]Ed/ { if (policy) print text >(folder "/" ++n ".json"); policy = within = 0; text = "" }
		within { text = text $0 "\n"; if (/"version": 1/) policy = 1 }
		/^[.]Bd -literal/ { within = 1 }' "$built/losslessctl-policy.5"
}

policies_are_sound() {
	local file
	mkdir "$work/of-pages"
	policies "$work/of-pages"
	[ "$(ls "$work/of-pages" | wc -l)" -ge 4 ] || echo "only $(ls "$work/of-pages" | wc -l) policies"
	for file in "$work"/of-pages/*.json; do
		"$program" check "$file" >"$file.out" 2>"$file.err" || cat "$file.err" "$file"
	done
}

# A heading "An example" would lose a word, as An is a macro.
headings_are_whole() {
	local heading
	sed -n 's/^[.]S[hs] //p' "${pages[@]}" | sort -u >"$work/headings"
	mandoc -T ascii "${pages[@]}" | col -b | sed 's/^ *//' >"$work/read"
	while read -r heading; do
		grep -qxF -- "$heading" "$work/read" || echo "$heading"
	done <"$work/headings"
}

it_is_installed() {
	local place
	for place in sbin/losslessctl man8/losslessctl.8 man5/losslessctl-{policy,report}.5 \
		bash-completion/completions/losslessctl zsh/site-functions/_losslessctl \
		fish/vendor_completions.d/losslessctl.fish; do
		meson introspect --installed "$build" | jq -e --arg p "/$place" \
			'any(.[]; endswith($p))' >/dev/null || echo "$place"
	done
}

# Generators must not capitalise a literal at the start of a text: the command would not run.
literals_are_as_typed() {
	found grep -nE '^(Auto|Always|Name), |^Losslessctl [a-z]+ ?\.$' "${pages[@]}"
	found grep -nE '^(Dcb|Ethtool|Ip|Modprobe|Mst[a-z]+|Rdma|Setpci|Sysctl|Systemctl) [-a-z]' "${pages[@]}"
}

pages_tests() {
	it "a literal that begins a text is as it is typed" literals_are_as_typed
	it "mandoc finds nothing in the pages" lint
	it "every heading is read as it is written" headings_are_whole
	it "every verb is documented" verbs_are_told
	it "every option is documented" options_are_told
	it "an option that is named after a verb is one of it" options_are_of_their_verbs
	it "every exit code is documented" exit_codes_are_told
	it "every event of the log and every field of the journal is documented" events_are_told
	it "every topic of \`explain\` is documented" names_are_told
	it "so are kernel interfaces, causes, fixes and rationales" fields_are_told
	it "the policies of the pages are valid" policies_are_sound
	it "pages and completion are installed" it_is_installed
}
