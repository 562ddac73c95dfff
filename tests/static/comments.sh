# shellcheck shell=bash
# A comment names its subject or is an imperative (style.md, "Comments").

# These words replace a subject, or open a question.
comments_never_open_with=(
	'What' 'Who' 'Whose' 'Whom' 'Whoever' 'Whatever' 'Whichever' 'So many' 'So much' 'So long' 'So often'
	'One that' 'From when' 'How many' 'How much' 'How long' 'How often' 'Of' 'Nobody'
	'Is' 'Are' 'Was' 'Were' 'Does' 'Did' 'Has' 'Have' 'Had' 'Can' 'May' 'Must'
)

# comment_openings FILE…: print "file:line: first words" of every comment in C.
comment_openings() {
	awk 'FNR == 1 { opened = 0 }
		opened { sub(/^[ \t]*\*[ \t]*/, ""); print FILENAME ":" FNR ": " $0; opened = 0 }
		{
			for (rest = $0; match(rest, /\/\*[ \t]*/);) {
				rest = substr(rest, RSTART + RLENGTH)
				if (rest == "") opened = 1
				else print FILENAME ":" FNR ": " rest
			}
		}' "$@"
}

# hash_openings FILE…: the same of comments that begin with "#" and fill their lines.
hash_openings() {
	awk 'FNR == 1 { within = 0 }
		/^[ \t]*#/ && !within { line = $0; sub(/^[ \t]*#[ \t]*/, "", line); print FILENAME ":" FNR ": " line }
		{ within = /^[ \t]*#/ && !/^#!/ && !/^# (shellcheck|vm:|short:|only:|waits)/ }' "$@"
}

# name_a_subject: reads openings.
name_a_subject() {
	local alternatives
	alternatives=$(IFS='|' && echo "${comments_never_open_with[*]}")
	found grep -E "^[^ ]+ ($alternatives|what|who|whose|so many|so much|of)\>"
}

openings_name_a_subject() {
	comment_openings "$@" | name_a_subject
}

# Scripts, Makefiles of meson and other files with "#": those without a suffix begin with "#!".
scripts_name_a_subject() {
	local files
	files=$(grep -rIlE '^(#!.*(sh|python3)|# )' .ci/run tests packaging \
		--include='*.sh' --include='*.py' --include='*.yml' --include='*.yaml' --include=meson.build \
		--include='[!.]*' --exclude='*.[chs]*' --exclude='*.md' --exclude='*.json' --exclude-dir=golden \
		--exclude-dir=corpus)
	# shellcheck disable=SC2086
	hash_openings $files | name_a_subject
}

# Paths that begin with include/ or linux/ are the kernel's.
headers_named_exist() {
	git ls-files | sed 's:.*/::' | awk '
		FILENAME == "-" { known[$0]; next }
		sub(/^.*\/\*|^[ \t]*\*/, "") {
			for (rest = $0 " "; match(rest, /[a-z_\/]+[.]h[^a-z]/); rest = substr(rest, RSTART + RLENGTH)) {
				path = substr(rest, RSTART, RLENGTH - 1)
				name = path
				sub(/.*\//, "", name)
				if (!(name in known) && path !~ /^(include|linux)\//)
					print FILENAME ":" FNR ": there is no " path
			}
		}' - "$@"
}

comments_tests() {
	it "a comment opens with its subject or an imperative" \
		openings_name_a_subject "${rooms[@]}" "${tests[@]}" tests/{tools,fuzz,vm/connectx}/*.[ch]
	it "so does a comment of a script" scripts_name_a_subject
	it "a header that a comment names exists" headers_named_exist "${rooms[@]}"
}
