# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for the scripts that source it
# Functions of the measurements in the guest. A result is a line "LABEL PORTS UNIT VALUE" with tabs.
policy=/run/bench/policy.json
other=/run/bench/other.json
port=ens1f0np0
tools=${LOSSLESSCTL_BUILD:-build}/tests
mapfile -t ports < <(cd /sys/class/net && printf '%s\n' ens* | sort -V)

# The policy lies below /run, as only root may change an applied policy or a directory above it.
prepare() {
	mkdir -p /run/bench
	jq 'del(.rules[1])' packaging/examples/gpu-backend.json >$policy # its port may be missing
	cat tests/bench/other.json >$other
	losslessctl -q apply $policy >&2
}

# result LABEL UNIT VALUE: print a result.
result() {
	printf '%s\t%d\t%s\t%s\n' "$1" "${#ports[@]}" "$2" "$3"
}

# succeeds COMMAND…: run the command; if it fails, report that and exit.
succeeds() {
	local code=0
	"$@" >/run/bench/out 2>/run/bench/err || code=$?
	[ $code -eq 0 ] || {
		echo "$* ended with $code: $(head -c 500 /run/bench/err /run/bench/out)" >&2
		exit 1
	}
}

# time_of LABEL COMMAND…: print the command's time in µs as a result.
time_of() {
	local label=$1 begin end
	shift
	begin=$EPOCHREALTIME
	succeeds "$@"
	end=$EPOCHREALTIME
	result "$label" us $((${end/./} - ${begin/./}))
}
