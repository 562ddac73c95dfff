# shellcheck shell=bash
# One check of `ready`. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets work and port

# judged STATUS CHECK EXPECTED [PORT]: `ready` gives CHECK this status on PORT (default: $port). The
# check's row is in $row.
judged() {
	local name=${4:-$port}
	printf '{"version":1,"ready":{"%s":%s},"profiles":{"p":{"mtu":1500}},"rules":[{"match":{"name":"%s"},"profile":"p"}]}\n' \
		"$2" "$3" "$name" >"$work/ready.json"
	losslessctl ready "$work/ready.json" --json --all >"$work/out" 2>"$work/err"
	row=$(tr -d '\n' <"$work/out" | grep -oE "\"check\":\"$2\"[^}]*")
	same "$2 of $name, expected $3" "$1" "$(field status)"
}

# field NAME: print a field of $row.
field() {
	sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p" <<<"$row"
}
