#!/usr/bin/env bash
# vm: --ports 8
# short: 6.12
# A port is unplugged, or two ports swap names, at any moment of an apply: the report never calls a
# drifted port in sync, and no setting stays on the wrong port.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_moments.sh
. tests/system/lib_moments.sh
other=ens2f0np0 # on another cable, which stays up when $port is unplugged

long=0; ! is_long || long=1

# sends NTH ARG...: list every NTH of an apply's requests to the kernel as "CALL N". In the long run
# each kernel has every fourth, not the same ones.
sends() {
	local every=$1 left=$(($1 - 1))
	((!long)) || every=4 left=$([[ $(uname -r) == 6.1.* ]] && echo 0 || echo 2)
	reset_ports
	moments sendto,sendmsg losslessctl apply "${@:2}" |
		awk -v every="$every" -v left="$left" 'NR % every == left'
}

# some_moments: each of $work/moments is tried; without one, nothing would be.
some_moments() { [ -s "$work/moments" ] || echo 'no moment is listed'; }

# outcome PORT: print the outcome of PORT in the last report.
outcome() { grep -oE "\"port\": *\"$1\", *\"outcome\": *\"[a-z_]+\"" "$work/out" | cut -d'"' -f8; }

# as_told MOMENT PORT BEFORE: PORT is in sync where the report says so, else as before.
as_told() {
	case $(outcome "$2") in
	applied | unchanged) losslessctl -q verify $policy "$2" || echo "$1: $2 is called as wished" ;;
	*) same "$1: $2, $(outcome "$2")" "$3" "$(hardware "$2")" ;;
	esac
}

# --- Unplugged ---

# unplugged_after CALL N: a failed apply reports the port that is gone; the other port is applied. One
# that goes while the ports are listed was never there: exit code 3, and nothing is written.
unplugged_after() {
	local before code
	reset_ports
	before=$(hardware $other)
	stopped_after "$1" "$2" losslessctl --json apply --keep-going $policy $port $other || return
	connectx $port unplug
	goes_on
	case $code in
	0) ! grep -qF "$port" "$work/out" || [ "$(outcome $port)" = applied ] || cat "$work/out" ;;
	1 | 3 | 4) grep -qF "$port" "$work/out" "$work/err" || echo "$1 $2: nothing is said of $port" ;;
	*) echo "$1 $2: exit code $code" && cat "$work/err" ;;
	esac
	as_told "$1 $2" $other "$before"
	[ "$code" = 3 ] || [ "$(outcome $other)" = applied ] || echo "$1 $2: $other was left out: $(outcome $other)"
	connectx $port plug
	wait_carrier
	expect 0 losslessctl -q apply $policy $port $other
	expect 0 losslessctl -q verify $policy $port $other
	echo "$code" >>"$work/unplugged"
}

unplugged_at_any() {
	sends 120 --keep-going $policy $port $other >"$work/moments"
	some_moments
	while read -r call n _; do
		unplugged_after "$call" "$n"
	done <"$work/moments"
}

# --- Renamed ---

# Linux 6.1 renames no port that is up.
swap_names() {
	local down='' up=''
	if [[ $(uname -r) == 6.1.* ]]; then
		down="link set $port down"$'\n'"link set $other down"
		up="link set $port up"$'\n'"link set $other up"
	fi
	ip -batch - <<-END
		$down
		link set $port name between
		link set $other name $port
		link set between name $other
		$up
	END
}

# renamed_after CALL N PORT...: swap the names during an apply to PORT..., and check both ports.
renamed_after() {
	local before_port before_other code
	reset_ports
	before_port=$(hardware $port)
	before_other=$(hardware $other)
	stopped_after "$1" "$2" losslessctl --json apply $policy "${@:3}" || return
	swap_names
	goes_on
	swap_names
	wait_carrier
	if [ $# = 3 ] && [ "$2" -lt 3 ] && [ "$code" = 0 ]; then # before the ports were listed
		same "$1 $2: the port that had the name then" applied "$(outcome $port)"
		same "$1 $2: $port" "$before_port" "$(hardware $port)"
		return
	fi
	as_told "$1 $2" $port "$before_port"
	if [ $# -gt 3 ] || [ "$before_other" = "$(hardware $other)" ]; then
		as_told "$1 $2" $other "$before_other"
	elif [ "$code" != 4 ] || ! grep -q "another port is now named $port" "$work/out"; then
		echo "$1 $2: $other has changed, and nobody says so; exit code $code"
	fi
	[ "$code" != 0 ] || [ "$(outcome "$3")" = applied ] || cat "$work/out"
	echo "$code" >>"$work/renamed"
}

# renamed_at_any EVERY PORT...
renamed_at_any() {
	sends "$1" $policy "${@:2}" >"$work/moments"
	some_moments
	while read -r call n _; do
		renamed_after "$call" "$n" "${@:2}"
	done <"$work/moments"
}

# tally NAME: print how often each exit code occurred, as TAP comments.
tally() { sort "$work/$1" 2>/dev/null | uniq -c | awk -v what="$1" '{ print "# " what ": " $1 " times exit code " $2 }'; }

it 'a port is unplugged: reported, the other one is applied, and this one once it is back' unplugged_at_any
it 'a port and one outside the policy swap names: nothing lands there unsaid' renamed_at_any 96 $port
! is_long ||
	it 'two ports of the policy swap names: both end in sync' renamed_at_any 60 $port $other
tally unplugged
tally renamed
tap_end
