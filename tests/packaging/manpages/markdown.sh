# shellcheck shell=bash
# Tests of the Markdown documents: links have targets, and code is correct.

papers() { git ls-files --cached --others --exclude-standard -- '*.md'; }

# anchors FILE: print the anchors of the headings.
anchors() {
	sed -n '/^```/,/^```/d; s/^##* //p' "$1" |
		sed 's/`//g; s/.*/\L&/; s/[^a-z0-9 _-]//g; s/ /-/g'
}

# links FILE: print the targets of links within the project.
links() {
	sed '/^```/,/^```/d; s/`[^`]*`//g' "$1" | found grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' |
		found grep -v '^https\?:'
}

links_lead_somewhere() {
	local paper link target
	for paper in $(papers); do
		while read -r link; do
			target=$paper
			[[ $link == '#'* ]] || target=$(dirname "$paper")/${link%%#*}
			[ -e "$target" ] || { echo "$paper: $link" && continue; }
			[[ $link != *'#'* ]] || grep -qxF -- "${link#*#}" <(anchors "$target") ||
				echo "$paper: nothing in it is called $link"
		done < <(links "$paper")
	done
}

# blocks LANGUAGE FILE FOLDER: write each block of code to its own file in the directory.
blocks() {
	awk -v begin="^\`\`\`$1\$" -v file="$3/${2//\//-}" '
		/^```/ { within = !within && $0 ~ begin; if (within) n++; next }
		within { print >(file "." n) }' "$2"
}

# all_blocks LANGUAGE: write the blocks of all documents, and print the directory.
all_blocks() {
	local paper folder=$work/blocks-$1
	mkdir -p "$folder"
	for paper in $(papers); do blocks "$1" "$paper" "$folder"; done
	echo "$folder"
}

# Check each policy by `check`, and that each part of a policy is JSON.
json_is_sound() {
	local file
	for file in "$(all_blocks json)"/*; do
		if ! jq -e 'has("version")' "$file" >/dev/null 2>&1; then
			jq -e . "$file" >/dev/null 2>&1 || { echo '{' && cat "$file" && echo '}'; } |
				jq empty 2>&1 | sed "s@^@$file: @"
		else
			"$program" check "$file" >"$work/said" 2>&1 || sed "s@^@$file: @" "$work/said"
		fi
	done
}

# Each recipe has one policy, which is valid and has no findings but notes.
every_recipe_is_checked() {
	local file=packaging/docs/cookbook.md folder=$work/recipes policy count=0
	mkdir -p "$folder" && blocks json "$file" "$folder"
	for policy in "$folder"/*; do
		count=$((count + 1))
		"$program" --json check "$policy" 2>"$work/notes" |
			jq -e 'all(.findings[]; .severity == "info")' >"$work/checked" ||
			jq -r '"the policy \(.name) has findings"' "$policy"
	done
	[ "$(grep -c '^### ' "$file")" -eq $count ] || echo "$count policies for $(grep -c '^### ' "$file") recipes"
}

# commands FILE: print the arguments of each losslessctl command, in blocks and in sentences.
commands() {
	{
		awk '/^```/ { within = !within; next } within' "$1" |
			found grep -oE '^([$] )?(sudo )?losslessctl [^|<>#&;]*'
		sed '/^```/,/^```/d' "$1" | found grep -oE '`(sudo )?losslessctl [^`|<>]*' | tr -d '`'
	} | sed -E 's/^([$] )?(sudo )?losslessctl //'
}

# Words in capitals are placeholders.
commands_are_ours() {
	local paper words word seen=0
	local -A verbs=() options=()
	while read -r word; do verbs[$word]=1; done < <(verbs)
	while read -r word; do options[$word]=1; done < <(every_option)
	for paper in $(papers); do
		while read -r words; do
			seen=$((seen + 1))
			for word in $words; do
				[[ $word != --?* || ${options[${word%%[=,]*}]-} ]] || echo "$paper: there is no $word"
			done
			word=${words%% *}
			[[ $word == [-A-Z]* || ${verbs[$word]-} ]] || echo "$paper: $word is no verb"
		done < <(commands "$paper")
	done
	[ $seen -gt 60 ] || echo "only $seen commands"
}

readme_is_short() {
	local name
	[ "$(wc -l <README.md)" -le 150 ] || echo "README.md has $(wc -l <README.md) lines"
	for name in packaging/docs/*; do
		grep -qF "]($name)" README.md || echo "README.md does not link $name"
	done
}

shell_is_shell() {
	local file
	for file in "$(all_blocks sh)"/*; do
		bash -n "$file"
	done
}

# quotes FILE FOLDER: write each block of C to a file, and print "N SOURCE BLOCK", from the text
# "`SOURCE`, N line" above it.
quotes() {
	awk -v folder="$2" '
		match($0, /`[a-z_\/]+\.[a-z]+`, [0-9]+ line/) && !within {
			split(substr($0, RSTART), word, /[`, ]+/); source = word[2]; lines = word[3]
		}
		/^```/ { within = !within && /^```c$/; if (within) print lines, source, ++n; next }
		within { print >(folder "/" n) }' "$1"
}

# The worked example must quote the sources exactly, with the correct counts of lines.
example_is_quoted() {
	local lines source n count=0
	mkdir -p "$work/quotes"
	while read -r lines source n; do
		count=$((count + 1))
		[[ $(<"$source") == *"$(<"$work/quotes/$n")"* ]] || echo "$source does not have block $n"
		[ "$(wc -l <"$work/quotes/$n")" -eq "$lines" ] || echo "block $n does not have $lines lines"
	done < <(quotes CONTRIBUTING.md "$work/quotes")
	[ $count -ge 4 ] || echo "only $count blocks"
}

runbook=packaging/docs/runbook.md

headings() { sed -n "s/^### $1/\\1/p" "$runbook"; }

every_exit_code_has_its_section() {
	diff <("$program" --json explain | jq -r '.exit_codes[].exit_code') \
		<(headings 'Exit code \([0-9]*\)$')
}

every_term_is_explained() {
	local name
	sed -nE 's/^[|] [*]{2}([^*]+)[*]{2}.*/\1/p' packaging/docs/glossary.md | sed 's/, /\n/g' >"$work/terms"
	[ "$(wc -l <"$work/terms")" -gt 50 ] || echo 'the glossary has few terms'
	while read -r name; do
		"$program" explain "$name" >/dev/null 2>&1 || echo "no such topic: $name"
		"$program" --json explain "${name^^}" | grep -q losslessctl/explain/1 || echo "${name^^}"
	done <"$work/terms"
}

# sections FILE HEADING: print the headings of third level below this heading of second level.
sections() { awk -v part="## $2" '/^## / { within = $0 == part } within && sub(/^### /, "")' "$1"; }

# Each section has the meaning, the likely cause and a command.
every_symptom_and_reason_has_its_section() {
	local file=packaging/docs/troubleshooting.md key heading
	for key in symptoms peer_reasons; do
		heading=Symptoms
		[ $key = symptoms ] || heading='Peer reasons'
		diff <("$program" --json explain | jq -r ".${key}[] | to_entries[1].value" | sort) \
			<(sections "$file" "$heading" | sort)
	done
	awk '/^#/ { if (parts && parts != 3) print name ": " parts " of 3 parts"; name = $0; parts = 0 }
		/^### / { parts = 1 } /^- \*\*(Likely cause|Run):\*\*/ { parts++ }' "$file"
}

every_alert_has_its_section() {
	diff <(sed -n 's/^ *- alert: //p' packaging/prometheus/losslessctl.rules.yml | sort) \
		<(headings '\(Losslessctl.*\)$' | sort)
}

# keys_of_scripts: print the code in the table's second column, one row a line.
keys_of_scripts() {
	sed -nE 's/^\| `[^|]*` (\([^|]*\) )?\| `([^`]*)`.*/\2/p' packaging/docs/migrating.md
}

what_scripts_do_is_said_so() {
	local key
	while read -r key; do
		printf '{"version":1,"profiles":{"p":{%s}},"rules":[{"match":{"name":"*"},"profile":"p"}]}' \
			"$key" >"$work/key.json"
		"$program" check --expand "$work/key.json" >"$work/said" 2>&1 || { echo "$key" && cat "$work/said"; }
	done < <(keys_of_scripts)
	[ "$(keys_of_scripts | wc -l)" -ge 25 ] || echo "only $(keys_of_scripts | wc -l) keys"
}

facts_are_asked() {
	local fact
	sed -n 's/^|.*|\([^|]*\)|$/\1/p' packaging/docs/hardware.md | grep -oE '`[a-z_.]+`' | tr -d '`' |
		while read -r fact; do
			grep -q "^$fact " tests/hw/facts || echo "$fact is no fact"
		done
}

# Each fact of the acceptance kit must cite a section of architecture.md.
facts_cite_the_contract() {
	local section
	for section in $(sed -n '/^#/d; s/^[^|]*|[^|]*| *\([0-9.]*\) *|.*/\1/p' tests/hw/facts | sort -u); do
		grep -qF "| $section |" packaging/docs/architecture.md || echo "there is no section $section"
	done
}

markdown_tests() {
	it "links in Markdown lead somewhere" links_lead_somewhere
	it "JSON in Markdown is valid" json_is_sound
	it "every recipe of the cookbook has a valid policy" every_recipe_is_checked
	it "every term of the glossary is explained" every_term_is_explained
	it "commands in Markdown have verbs and options that there are" commands_are_ours
	it "shell in Markdown is shell" shell_is_shell
	it "the README has at most 150 lines, and links every document" readme_is_short
	it "the worked example quotes the sources" example_is_quoted
	it "every exit code has its section in the runbook" every_exit_code_has_its_section
	it "every alert has its section in the runbook" every_alert_has_its_section
	it "every symptom and peer reason has its section in troubleshooting.md" \
		every_symptom_and_reason_has_its_section
	it "what scripts do is said in keys that there are" what_scripts_do_is_said_so
	it "what hardware is said to prove is asked of it" facts_are_asked
	it "the sections that the acceptance kit cites are in architecture.md" facts_cite_the_contract
}
