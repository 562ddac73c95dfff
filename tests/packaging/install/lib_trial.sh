# shellcheck shell=bash
# Run the commands of a document as a reader types them. To be sourced; `follow` needs a function
# in_root.

folder=
document=packaging/docs/getting-started.md
operator=ops

# take_apart FOLDER: write the blocks sh.1, sh.2, ... and policy.json, which readers save.
take_apart() {
	awk -v folder="$1" '
		/^```/ { kind = kind ? "" : substr($0, 4); if (kind == "sh") n++; next }
		kind == "sh" { print >(folder "/sh." n) }
		kind == "json" { print >(folder "/policy.json") }' "$document"
}

# as_typed N: print a script that runs block N with the document's PATH, and shows each command and
# its exit code.
as_typed() {
	local line
	grep '^PATH=' "$folder/sh.1"
	while read -r line; do
		printf 'echo %q\n%s\necho "[$?]"\n' "\$ $line" "$line"
	done <"$folder/sh.$1"
}

# follow N: run block N with its output in said.N, and print the exit codes.
follow() {
	as_typed "$1" >"$folder/typed"
	in_root runuser --login "$operator" --command "$(<"$folder/typed")" \
		>"$folder/said.$1" 2>&1 </dev/null || true
	sed -n 's/^\[\([0-9]*\)\]$/\1/p' "$folder/said.$1" | paste -s -d ' '
}

# same WHAT EXPECTED ACTUAL: report a difference.
same() { [ "$2" = "$3" ] || echo "$1: expected $2, got $3"; }
