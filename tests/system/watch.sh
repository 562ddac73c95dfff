#!/usr/bin/env bash
# only: 6.12
# Tests of watch: the live table in a real terminal (tmux), its lines in a pipe, and its JSON.
. tests/system/lib.sh

export LANG=C.UTF-8 TERM=xterm
unset NO_COLOR

# The terminal runs one shell, whose prompt is "ready". Programs start slowly in the guest, so one
# lasting client of tmux, in control mode, passes on all requests.
mkfifo "$work/asked" "$work/answered"
tmux -f /dev/null -S "$work/tmux" new-session -d -x 80 -y 24 \
	'PS1="ready " exec bash --norc --noprofile'
tmux -S "$work/tmux" -C attach -f no-output,ignore-size <"$work/asked" >"$work/answered" &
exec 7>"$work/asked" 8<"$work/answered"
trap 'exec 7>&-' EXIT

# answer: print the lines between %begin and %end of the request; drop tmux's other output.
answer() {
	local line inside=
	while IFS= read -r -t 20 line <&8; do
		case $line in
		'%begin '*' 1') inside=1 ;;
		'%end '*' 1') return 0 ;;
		'%error '*' 1') return 1 ;;
		*) [ -z "$inside" ] || printf '%s\n' "$line" ;;
		esac
	done
}

t() {
	printf "'%s' " "$@" >&7
	echo >&7
	answer
}

screen() { t capture-pane -p; }
key() { t send-keys "$1"; }
type_in() { t send-keys "$1" Enter; }

# until_screen WHAT COMMAND…: try 400 times; the guest's clock may run several times too fast.
until_screen() {
	local what=$1 tries=0
	shift
	until "$@"; do
		[ $((tries += 1)) -lt 400 ] || {
			printf '%s: the screen never showed it:\n' "$what"
			screen
			return 1
		}
		sleep 0.1
	done
}

screen_has() {
	local line lines
	mapfile -t lines < <(screen)
	for line in "${lines[@]}"; do
		[[ ! $line =~ $1 ]] || return 0
	done
	return 1
}

screen_lacks() { ! screen_has "$1"; }

# Wait for the prompt: the terminal drops input until the shell has it back.
leave_watch() {
	key q
	until_screen 'the prompt' screen_has '^ready *$'
}

# Reset the shell to 80x24 and its first modes; $typed is the text on the screen.
open_terminal() {
	t resize-window -x 80 -y 24
	screen_lacks '^PORT' || leave_watch
	typed="typed before $RANDOM$RANDOM"
	[ -e "$work/modes" ] || type_in "stty -g >$work/modes"
	type_in "stty \$(cat $work/modes); clear; echo $typed; stty -a >$work/before"
	until_screen 'the first words' screen_has "^$typed\$"
	until_screen 'a prompt' screen_has '^ready *$'
}

start_watch() {
	type_in "losslessctl watch"
	until_screen 'the table' screen_has '^PORT'
}

# The shell works, and its modes are unchanged.
modes_are_as_before() {
	local said="done $RANDOM$RANDOM"
	type_in "stty -a >$work/after; echo $said"
	until_screen 'the next command' screen_has "^$said\$"
	same 'stty -a' "$(cat "$work/before")" "$(cat "$work/after")"
}

# The shell has its modes, its screen and its cursor back.
is_as_before() {
	until_screen 'the prompt' screen_has '^ready *$'
	screen_has "^$typed\$" || screen
	screen_lacks '^PORT' || screen
	same 'cursor, alternate screen' '1 0' "$(t display-message -p '#{cursor_flag} #{alternate_on}')"
	modes_are_as_before
}

row_is() { screen_has "^$port $1"; }

# keep_pausing: count pause as a port that pauses its peer all the time, until stop_pausing.
keep_pausing() {
	touch "$work/pausing"
	while [ -e "$work/pausing" ]; do
		echo "${pci_of[$port]} counter tx_prio3_pause_duration 9000000" >$simulation/control
		sleep 0.2
	done &
}

stop_pausing() {
	rm "$work/pausing"
	wait
}

the_table_shows() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	open_terminal
	start_watch
	same header "losslessctl watch  $(hostname)" "$(screen | sed -n '1s/  [0-9-]* .*//p')"
	until_screen 'all zero' row_is "100G 3 +0 +0 "
	until_screen 'the other port' screen_has "^$other 100G off +0 +0 "
	until_screen 'the verdict' screen_has '^no symptoms$'
	same 'rows' 24 "$(screen | wc -l)"
	connectx $port counter np_cnp_sent 5000000
	until_screen 'CNPs' row_is '.* [1-5][.][0-9]M +0 .*█'
	dcb pfc set dev $port prio-pfc all:off
}

pause_appears_with_its_symptom() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	open_terminal
	start_watch
	keep_pausing
	until_screen 'pause on priority 3' row_is '.* [0-9.]+%p3 +0 '
	until_screen 'the symptom' screen_has "^critical  $port pause-storm-sent: .* on priority 3"
	until_screen 'where to look' screen_has 'look at this host'
	t capture-pane -e -p >"$work/colours"
	grep -qE $'\033\\[([0-9;]*;)?31m(\033\\[[0-9;]*m)*'"$port" "$work/colours" || echo 'the port is not red'
	stop_pausing
	dcb pfc set dev $port prio-pfc all:off
}

# The port has sent before, and sends nothing while it is paused all the time.
a_suspected_deadlock_appears() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	connectx $port counter tx_prio3_bytes 1000000
	open_terminal
	start_watch
	connectx $port storm suffered 3 100
	until_screen 'the symptom' screen_has "^critical  $port pause-deadlock-suspected: priority 3 was paused"
	until_screen 'where to look' screen_has 'look at the fabric'
	connectx $port storm suffered 3 off
	dcb pfc set dev $port prio-pfc all:off
}

another_size_is_followed() {
	open_terminal
	start_watch
	screen_lacks 'STALL%' || screen
	t resize-window -x 200 -y 50
	until_screen 'more columns' screen_has 'STALL%'
	same 'the last column' 200 "$(screen | sed -n 1p | wc -m | awk '{ print $1 - 1 }')"
	t resize-window -x 40 -y 6
	until_screen 'fewer rows' screen_has 'more port'
	same rows 6 "$(screen | wc -l)"
	t resize-window -x 80 -y 24
	until_screen 'all again' screen_has "^$other"
	key q
	is_as_before
}

quits_by() {
	open_terminal
	start_watch
	same 'cursor, alternate screen' '0 1' "$(t display-message -p '#{cursor_flag} #{alternate_on}')"
	"$@"
	is_as_before
}

by_signal() { kill -"$1" "$(pidof losslessctl)"; }

exit_codes_of_quitting() {
	local how expected
	open_terminal
	for how in q:0 C-c:0 TERM:143; do
		expected=${how#*:}
		type_in "clear; losslessctl watch; echo code \$?"
		until_screen 'the table' screen_has '^PORT'
		if [ "$expected" -eq 0 ]; then key "${how%:*}"; else by_signal TERM; fi
		until_screen "exit $expected after $how" screen_has "^code $expected$"
	done
}

stops_and_goes_on() {
	open_terminal
	start_watch
	key C-z
	until_screen 'the shell' screen_has 'Stopped'
	same cursor 1 "$(t display-message -p '#{cursor_flag}')"
	modes_are_as_before
	type_in fg
	until_screen 'the table again' screen_has '^PORT'
	key q
	until_screen 'the prompt' screen_has '^ready *$'
	screen_lacks '^PORT' || screen
	modes_are_as_before
}

a_port_is_followed() {
	open_terminal
	start_watch
	until_screen 'the port' row_is "100G"
	connectx $port link down
	until_screen 'carrier away' row_is "down"
	connectx $port link up
	until_screen 'carrier back' row_is "100G"
	connectx $port unplug
	until_screen 'gone' row_is "gone +- +- +- "
	connectx $port plug
	until_screen 'back' row_is "100G off +[-0] "
	key q
	is_as_before
	wait_carrier
}

colours_are_as_asked() {
	local words
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	for words in 'losslessctl --color never watch' 'NO_COLOR=1 losslessctl watch'; do
		open_terminal
		type_in "$words"
		until_screen 'the table' screen_has '^PORT'
		t capture-pane -e -p >"$work/colours"
		! grep -q $'\033' "$work/colours" || cat -v "$work/colours"
		key q
	done
	dcb pfc set dev $port prio-pfc all:off
}

lines_in_a_pipe() {
	losslessctl --color always watch --count 2 $port | cat >"$work/lines"
	same lines 3 "$(wc -l <"$work/lines")"
	! grep -q $'\033' "$work/lines" || cat -v "$work/lines"
	same heading 'time port link pfc' "$(sed -n 1p "$work/lines" | awk '{ print $1, $2, $3, $4 }')"
	same line "$port 100G off" "$(sed -n 2p "$work/lines" | awk '{ print $2, $3, $4 }')"
	same 'fields' 1 "$(awk '{ print NF }' "$work/lines" | sort -u | wc -l)"
}

each_line_comes_at_once() {
	timeout -k 20 600 losslessctl watch $port >"$work/lines" &
	until_screen 'two lines' eval '[ "$(wc -l <"$work/lines")" -ge 3 ]'
	kill $!
	wait $! 2>/dev/null
	same code 143 $?
}

json_lines() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	keep_pausing
	losslessctl --json watch --count 6 >"$work/lines"
	stop_pausing
	same documents 6 "$(wc -l <"$work/lines")"
	same valid 6 "$(jq -c 'select(.schema == "losslessctl/watch/1" and .interval_s > 0.9 and
		(.sampled_at | test("^20..-..-..T..:..:..Z$")) and (.ports | length == 2))' <"$work/lines" | wc -l)"
	tail -n 1 "$work/lines" | jq -e --arg p $port '.ports[] | select(.port == $p) | .carrier and
		.counters.tx_prio3_pause_duration > 0 and (.counters | has("rx_prio3_pause") | not) and
		.pause_sent_percent == 100 and .pause_sent_priority == 3 and .pause_received_percent == 0 and
		.cnp_sent_per_s == 0 and .symptoms[0].symptom == "pause-storm-sent" and
		.symptoms[0].severity == "critical" and .symptoms[0].origin == "host"' >/dev/null ||
		tail -n 1 "$work/lines"
	head -n 1 "$work/lines" | jq -e --arg p $other '.ports[] | select(.port == $p) |
		.pfc_frames_sent_per_s == null and (.counters | has("rx_vport_rdma_unicast_bytes") | not) and
		.symptoms == []' >/dev/null ||
		head -n 1 "$work/lines"
	dcb pfc set dev $port prio-pfc all:off
}

the_interval_is_kept() {
	losslessctl --json watch --interval 3 --count 1 $port >"$work/lines"
	jq -e '.interval_s >= 3' <"$work/lines" >/dev/null || cat "$work/lines"
}

on_a_dumb_terminal_lines_fit() {
	TERM=dumb COLUMNS=100 script -qc 'losslessctl watch --count 1' /dev/null </dev/null | tr -d '\r' >"$work/out"
	same 'lines' 3 "$(wc -l <"$work/out")"
	same 'longest line' '' "$(awk 'length > 100' "$work/out")"
	grep -q "^20[^ ]*  $port .*  -\$" "$work/out" || cat "$work/out"
}

wrong_words_are_64() {
	expect 64 losslessctl watch --count 1 --interval 0
	says 'takes 1 to 60 seconds'
	expect 64 losslessctl watch --count 1 --interval 61
	expect 64 losslessctl watch --count 1 --interval -1
	expect 64 losslessctl watch --count 0
	expect 64 losslessctl show --interval 1
	expect 3 losslessctl watch nosuchport
	expect 3 losslessctl --json watch nosuchport
}

nothing_is_changed() {
	local before
	before=$(changes)
	expect 0 losslessctl watch --count 2
	same 'driver calls' "$before" "$(changes)"
	expect 0 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl watch --count 1
	says "$port"
}

# watch ends when its reader ends, and fails when it cannot write.
nobody_reads() {
	local code
	losslessctl watch $port | head -n 1 >/dev/null
	code=${PIPESTATUS[0]}
	same 'code' 141 "$code"
	timeout 20 losslessctl --json watch $port >/dev/full 2>"$work/err"
	same 'code' 1 $?
}

it 'the table shows ports, figures and a verdict at 80x24' the_table_shows
it 'pause appears, and its symptom in words and colour' pause_appears_with_its_symptom
in_long it 'a suspected deadlock appears' a_suspected_deadlock_appears
in_long it 'another size is followed: 200x50, 40x6, and back' another_size_is_followed
it 'q gives the terminal back' quits_by key q
it 'Ctrl-C gives the terminal back' quits_by key C-c
in_long it 'SIGTERM gives the terminal back' quits_by by_signal TERM
it 'q and Ctrl-C are no failure, and SIGTERM is reported' exit_codes_of_quitting
in_long it 'Ctrl-Z gives the terminal back, and fg takes it again' stops_and_goes_on
in_long it 'a port that goes and comes back is followed' a_port_is_followed
in_long it 'no colour where none is wanted' colours_are_as_asked
it 'a pipe gets lines of as many fields, without escape codes' lines_in_a_pipe
it 'each line comes at once, and SIGTERM ends it' each_line_comes_at_once
it 'JSON lines: what moved, what is absent, and the symptoms' json_lines
it 'the interval is kept' the_interval_is_kept
it 'on a dumb terminal the lines fit its width' on_a_dumb_terminal_lines_fit
it 'wrong words are 64, no such port 3' wrong_words_are_64
it 'it changes nothing, and anybody may watch' nothing_is_changed
it 'without a reader it ends' nobody_reads
tap_end
