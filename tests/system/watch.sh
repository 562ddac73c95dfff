#!/usr/bin/env bash
# short: 6.12
# The live table in a real terminal (tmux), its lines in a pipe, and its JSON.
. tests/system/lib.sh

export LANG=C.UTF-8 TERM=xterm
unset NO_COLOR
server=$work/tmux

t() { tmux -f /dev/null -S "$server" "$@"; }
screen() { t capture-pane -p; }

# until_screen WHAT COMMAND…: gives a slow guest 15 seconds.
until_screen() {
	local what=$1 tries=0
	shift
	until "$@"; do
		[ $((tries += 1)) -lt 150 ] || {
			printf '%s: the screen never showed it:\n' "$what"
			screen
			return 1
		}
		sleep 0.1
	done
}

screen_has() { screen | grep -qE -- "$1"; }
screen_lacks() { ! screen_has "$1"; }

# A shell at 80x24 whose prompt is "ready"; "typed" is what was on the screen before.
open_terminal() {
	t new-session -d -x 80 -y 24 'PS1="ready " exec bash --norc --noprofile'
	until_screen 'a prompt' screen_has '^ready $'
	t send-keys 'clear; echo typed before; stty -a >'"$work"'/before' Enter
	until_screen 'the first words' screen_has '^typed before$'
}

close_terminal() {
	t kill-server 2>/dev/null
	rm -f "$work"/{before,after}
}

start_watch() {
	t send-keys "losslessctl watch" Enter
	until_screen 'the table' screen_has '^PORT'
}

# The shell is back with its modes, its screen and its cursor.
is_as_before() {
	until_screen 'the prompt' screen_has '^ready $'
	screen_has '^typed before$' || screen
	screen_lacks '^PORT' || screen
	same cursor 1 "$(t display-message -p '#{cursor_flag}')"
	same 'alternate screen' 0 "$(t display-message -p '#{alternate_on}')"
	t send-keys "stty -a >$work/after; echo \$?-done" Enter
	until_screen 'the next command' screen_has '^0-done$'
	same 'stty -a' "$(cat "$work/before")" "$(cat "$work/after")"
}

row() { screen | grep "^$port"; }
row_is() { row | grep -qE -- "$1"; }

# Pause as of a port that holds its peer back all the time.
keep_pausing() {
	local n
	for ((n = 0; n < ${1:-40}; n++)); do
		mlx5sim $port bump tx_prio3_pause_duration 100000
		sleep 0.1
	done
}

the_table_shows() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	open_terminal
	start_watch
	same header "losslessctl watch  $(hostname)" "$(screen | sed -n '1s/  [0-9-]* .*//p')"
	until_screen 'all zero' row_is "^$port 100G 3 +0 +0 "
	until_screen 'the other port' screen_has "^$other 100G off +0 +0 "
	until_screen 'the verdict' screen_has '^no symptoms$'
	same 'rows' 24 "$(screen | wc -l)"
	mlx5sim $port bump np_cnp_sent 5000000
	until_screen 'CNPs' row_is '  [1-5][.][0-9]M +0 +█|  [1-5][.][0-9]M +0 .*█'
	close_terminal
	dcb pfc set dev $port prio-pfc all:off
}

pause_appears_with_its_symptom() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	open_terminal
	start_watch
	keep_pausing &
	until_screen 'pause on priority 3' row_is '[0-9]+%p3 +0 '
	until_screen 'the symptom' screen_has "^critical  $port pause-storm-sent: .* on priority 3"
	until_screen 'where to look' screen_has 'look at this host'
	t capture-pane -e -p >"$work/colours"
	grep -q $'\033\\[31m'"$port" "$work/colours" || echo 'the port is not red'
	wait
	close_terminal
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
	t send-keys q
	is_as_before
	close_terminal
}

quits_by() {
	open_terminal
	start_watch
	same 'alternate screen' 1 "$(t display-message -p '#{alternate_on}')"
	same cursor 0 "$(t display-message -p '#{cursor_flag}')"
	"$@"
	is_as_before
	close_terminal
}

key() { t send-keys "$1"; }

by_signal() { kill -"$1" "$(pidof losslessctl)"; }

exit_codes_of_quitting() {
	local how expected
	open_terminal
	for how in q:0 C-c:0 TERM:143; do
		expected=${how#*:}
		t send-keys "clear; losslessctl watch; echo code \$?" Enter
		until_screen 'the table' screen_has '^PORT'
		if [ "$expected" -eq 0 ]; then key "${how%:*}"; else by_signal TERM; fi
		until_screen "exit $expected after $how" screen_has "^code $expected$"
	done
	close_terminal
}

stops_and_goes_on() {
	open_terminal
	start_watch
	key C-z
	until_screen 'the shell' screen_has 'Stopped'
	same cursor 1 "$(t display-message -p '#{cursor_flag}')"
	t send-keys 'stty -a | tr ";" "\n" | grep -c icanon' Enter
	until_screen 'the shell works' screen_has '^1$'
	t send-keys 'fg' Enter
	until_screen 'the table again' screen_has '^PORT'
	key q
	until_screen 'the prompt' screen_has '^ready $'
	t send-keys "stty -a >$work/after; echo \$?-done" Enter
	until_screen 'the next command' screen_has '^0-done$'
	same 'stty -a' "$(cat "$work/before")" "$(cat "$work/after")"
	close_terminal
}

a_port_is_followed() {
	open_terminal
	start_watch
	until_screen 'the port' row_is "^$port 100G"
	mlx5sim $port carrier down
	until_screen 'carrier away' row_is "^$port down"
	mlx5sim $port carrier up
	until_screen 'carrier back' row_is "^$port 100G"
	mlx5sim $port unplug
	until_screen 'gone' row_is "^$port gone +- +- +- "
	mlx5sim $port plug
	until_screen 'back' row_is "^$port 100G off +0"
	key q
	is_as_before
	close_terminal
	wait_carrier
}

colours_are_as_asked() {
	local words expected
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	for words in '--color never watch' 'watch'; do
		open_terminal
		t send-keys "NO_COLOR=1 losslessctl $words" Enter
		until_screen 'the table' screen_has '^PORT'
		t capture-pane -e -p >"$work/colours"
		! grep -q $'\033' "$work/colours" || cat -v "$work/colours"
		close_terminal
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
	losslessctl watch $port >"$work/lines" &
	until_screen 'two lines' eval '[ "$(wc -l <"$work/lines")" -ge 3 ]'
	kill $!
	wait $! 2>/dev/null
	same code 143 $?
}

json_lines() {
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	keep_pausing 50 &
	losslessctl --json watch --count 4 >"$work/lines"
	wait
	same documents 4 "$(wc -l <"$work/lines")"
	same valid 4 "$(jq -c 'select(.schema == "losslessctl/watch/1" and .seconds > 0.9 and
		(.time | test("^20..-..-..T..:..:..Z$")) and (.ports | length == 2))' <"$work/lines" | wc -l)"
	tail -n 1 "$work/lines" | jq -e --arg p $port '.ports[] | select(.port == $p) | .carrier and
		.counters.tx_prio3_pause_duration > 0 and (.counters | has("rx_prio3_pause") | not) and
		.pause_sent_percent > 5 and .pause_sent_priority == 3 and .pause_received_percent == 0 and
		.cnp_sent_per_s == 0 and .symptoms[0].symptom == "pause-storm-sent" and
		.symptoms[0].alarm == "critical" and .symptoms[0].look == "this host"' >/dev/null ||
		tail -n 1 "$work/lines"
	head -n 1 "$work/lines" | jq -e --arg p $other '.ports[] | select(.port == $p) |
		.pfc_frames_sent_per_s == null and .counters == {} and .symptoms == []' >/dev/null ||
		head -n 1 "$work/lines"
	dcb pfc set dev $port prio-pfc all:off
}

the_interval_is_kept() {
	losslessctl --json watch --interval 3 --count 1 $port >"$work/lines"
	jq -e '.seconds >= 3 and .seconds < 4' <"$work/lines" >/dev/null || cat "$work/lines"
}

wrong_words_are_64() {
	expect 64 losslessctl watch --interval 0
	says 'from 1 to 60'
	expect 64 losslessctl watch --interval 61
	expect 64 losslessctl watch --interval -1
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

# Where nobody reads, it ends; where it cannot be written, it fails.
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
it 'another size is followed: 200x50, 40x6, and back' another_size_is_followed
it 'q gives the terminal back' quits_by key q
it 'Ctrl-C gives the terminal back' quits_by key C-c
it 'SIGTERM gives the terminal back' quits_by by_signal TERM
it 'q and Ctrl-C are no failure, and SIGTERM is told' exit_codes_of_quitting
it 'Ctrl-Z gives the terminal back, and fg takes it again' stops_and_goes_on
it 'a port that goes and comes back is followed' a_port_is_followed
it 'no colour where none is wanted' colours_are_as_asked
it 'a pipe gets lines of as many fields, without escape codes' lines_in_a_pipe
it 'each line comes at once, and SIGTERM ends it' each_line_comes_at_once
it 'JSON lines: what moved, what is absent, and the symptoms' json_lines
it 'the interval is kept' the_interval_is_kept
it 'wrong words are 64, no such port 3' wrong_words_are_64
it 'it changes nothing, and anybody may watch' nothing_is_changed
it 'where nobody reads it ends' nobody_reads
tap_end
