# shellcheck shell=bash
# The commands of a document, as somebody types them who reads it. To be sourced; for what follows a
# block define in_root.

folder=
document=packaging/docs/getting-started.md
operator=ops

# take_apart FOLDER: sh.1, sh.2, ... and policy.json, which the document has readers save.
take_apart() {
	awk -v folder="$1" '
		/^```/ { kind = kind ? "" : substr($0, 4); if (kind == "sh") n++; next }
		kind == "sh" { print >(folder "/sh." n) }
		kind == "json" { print >(folder "/policy.json") }' "$document"
}

# With the PATH that the document has them set; each command is shown, and its exit code.
as_typed() {
	local line
	grep '^PATH=' "$folder/sh.1"
	while read -r line; do
		printf 'echo %q\n%s\necho "[$?]"\n' "\$ $line" "$line"
	done <"$folder/sh.$1"
}

# follow N: types block N; what was said is in said.N, and its exit codes are printed.
follow() {
	as_typed "$1" >"$folder/typed"
	in_root runuser --login "$operator" --command "$(<"$folder/typed")" \
		>"$folder/said.$1" 2>&1 </dev/null || true
	sed -n 's/^\[\([0-9]*\)\]$/\1/p' "$folder/said.$1" | paste -s -d ' '
}

# same WHAT EXPECTED ACTUAL
same() { [ "$2" = "$3" ] || echo "$1: expected $2, got $3"; }
