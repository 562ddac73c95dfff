# shellcheck shell=bash
# A comment names its subject or is an imperative (style.md, "Comments").

# Words that stand in for a subject, or that open a question.
comments_never_open_with=(
	'What' 'Who' 'Whose' 'Whom' 'Whoever' 'Whatever' 'Whichever' 'So many' 'So much' 'So long' 'So often'
	'One that' 'From when' 'How many' 'How much' 'How long' 'How often' 'Of'
	'Is' 'Are' 'Was' 'Were' 'Does' 'Did' 'Has' 'Have' 'Had' 'Can' 'May' 'Must'
)

# comment_openings FILE…: "file:line: first words" of every comment.
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

openings_name_a_subject() {
	local alternatives
	alternatives=$(IFS='|' && echo "${comments_never_open_with[*]}")
	comment_openings "$@" | found grep -E "^[^ ]+ ($alternatives|what|who|whose|so many|so much|of)\>"
}

comments_tests() {
	it "a comment opens with its subject or an imperative" openings_name_a_subject "${rooms[@]}"
}
