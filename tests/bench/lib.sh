# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for the scripts that source it
# What the measurements in the guest share. A result is a line "LABEL PORTS UNIT VALUE", tab-separated.
policy=/run/bench/policy.json
other=/run/bench/other.json
port=ens1f0np0
tools=${LOSSLESSCTL_BUILD:-build}/tests
mapfile -t ports < <(cd /sys/class/net && printf '%s\n' ens* | sort -V)

# Only root may change a policy that is applied, nor a directory above it.
prepare() {
	mkdir -p /run/bench
	jq 'del(.rules[1])' packaging/examples/gpu-backend.json >$policy # its port may be missing
	cat tests/bench/other.json >$other
	losslessctl -q apply $policy >&2
}

# result LABEL UNIT VALUE
result() {
	printf '%s\t%d\t%s\t%s\n' "$1" "${#ports[@]}" "$2" "$3"
}

# succeeds COMMAND…: one that fails is reported, and ends all.
succeeds() {
	local code=0
	"$@" >/run/bench/out 2>/run/bench/err || code=$?
	[ $code -eq 0 ] || {
		echo "$* ended with $code: $(head -c 500 /run/bench/err /run/bench/out)" >&2
		exit 1
	}
}

# time_of LABEL COMMAND…
time_of() {
	local label=$1 begin end
	shift
	begin=$EPOCHREALTIME
	succeeds "$@"
	end=$EPOCHREALTIME
	result "$label" us $((${end/./} - ${begin/./}))
}
