#!/usr/bin/env bash
# waits
# only: 6.12
# The connection between the two ends of losslessctl probe: whatever one end does or sends, both
# exit with a reason, and no program, queue pair or listener stays behind.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh

# begin_probe [OPTION]...: start a long probe, and return when both ends run perftest.
begin_probe() {
	serve_probe $other
	losslessctl probe "$place" --token - $port --yes "$@" >"$work/out" 2>"$work/err" <<<"$token" &
	asker=$!
	perftest_sends
}

# the_server_warns TEXT: it did once, and still serves the client with the token.
the_server_warns() {
	ask 0
	server_exits 0
	cp "$work/server.err" "$work/err"
	says "$1"
	same 'warnings' 1 "$(grep -c 'without the token' "$work/err")"
	nothing_is_left
}

wrong_token() {
	local right
	serve_probe $other
	right=$token token=00000000000000000000000000000000
	ask 1
	says 'the other end: the token is wrong'
	ask 1
	token=$right
	the_server_warns 'dropped 1 connection without the token, the last from 127.0.0.1:'
	says ': the token is wrong'
}

used_token() {
	probe 0
	ask 3
	says 'Connection refused'
	nothing_is_left
}

# Users of a host can read all that is in /proc/PID/cmdline.
token_in_a_word() {
	expect 64 losslessctl probe 127.0.0.1:4791 --token 0123456789abcdef $port --yes
	says '--token: found a word, expected -'
	says 'give the token as a line of standard input'
	for token in '' "$(printf '%064d' 0)"; do
		expect 64 losslessctl probe 127.0.0.1:4791 --token - $port --yes <<<"$token"
		says 'found no token as the first line of standard input'
	done
}

# More connections than the server keeps say nothing, while the client comes.
silent_connections() {
	local lines=() line
	serve_probe $other
	for _ in {1..20}; do
		exec {line}<>"/dev/tcp/127.0.0.1/${place##*:}"
		lines+=("$line")
	done
	the_server_warns 'dropped 1 connection without the token'
	says 'others connect'
	for line in "${lines[@]}"; do exec {line}>&-; done
}

# The server gives a connection ten seconds.
late_connection() {
	local line
	serve_probe $other
	exec {line}<>"/dev/tcp/127.0.0.1/${place##*:}"
	timeout 20 cat <&$line || echo 'the connection stays'
	exec {line}>&-
	the_server_warns 'it sent nothing in time'
}

# sends TEXT: send it to a waiting server, whose last answer is in $work/out, and end the server.
sends() {
	serve_probe $other
	exec {line}<>"/dev/tcp/127.0.0.1/${place##*:}"
	printf %b "$1" >&$line
	timeout 10 cat <&$line >"$work/answers"
	tail -n 1 "$work/answers" >"$work/out"
	exec {line}>&-
	kill -TERM $prober
	server_exits 143
	cp "$work/server.err" "$work/err"
}

# says_hello LINE: send "hello" with the token, and then LINE.
says_hello() {
	serve_probe $other
	exec {line}<>"/dev/tcp/127.0.0.1/${place##*:}"
	printf '{"command":"hello","protocol":1,"token":"%s"}\n%s\n' "$token" "$1" >&$line
	timeout 10 cat <&$line >"$work/answers"
	tail -n 1 "$work/answers" >"$work/out"
	exec {line}>&-
	wait $prober
	cp "$work/server.err" "$work/err"
}

run='"path":0,"traffic_class":106,"service_level":0'
start='{"command":"start","port":"'$other'","run":{'
commands() {
	sends '{"command":"count","port":"'$other'"}\n'
	says '{"error":"unknown command"}'
	sends '{"command":"hello","protocol":2}\n'
	says 'install the same release at both ends'
	says_hello '{"command":"reboot"}'
	says '{"error":"unknown command"}'
	says_hello '{"command":"count","port":"eth99"}'
	says '{"error":"there is no such port"}'
	says_hello '{"command":"finish"}'
	says '{"error":"no run was started"}'
	nothing_is_left
}

runs_out_of_range() {
	says_hello "$start$run,\"tcp_port\":80,\"messages\":500,\"size\":4096}}"
	says '{"error":"TCP port 80 is not in 1024 to 65535"}'
	says_hello "$start$run,\"tcp_port\":18515,\"messages\":1000000,\"size\":4096}}"
	says 'number of messages 1000000 is not in'
	says_hello "$start$run,\"tcp_port\":18515,\"messages\":100000,\"size\":1048576}}"
	says 'one run may carry 1024 MiB at most'
	says_hello "$start$run,\"tcp_port\":18515,\"messages\":-5,\"size\":4096}}"
	says 'sends \"messages\" in another form'
	nothing_is_left
}

garbage() {
	sends 'GET / HTTP/1.1\r\n'
	says 'the other end is no losslessctl probe'
	sends "$(printf '%196609s' x)"
	says 'the other end of the probe sends more than a message'
	nothing_is_left
}

# A port scanner's connection, and half a message.
ends_at_once() {
	local text texts=('{"command":')
	! is_long || texts+=('')
	for text in "${texts[@]}"; do
		serve_probe $other
		exec {line}<>"/dev/tcp/127.0.0.1/${place##*:}"
		printf %s "$text" >&$line
		exec {line}>&-
		the_server_warns 'the other end of the probe has ended'
	done
}

client_dies() {
	begin_probe --messages 100000
	kill -"$1" $asker
	asker_exits "$2"
	server_exits 0
	nothing_is_left
}

server_dies() {
	begin_probe --messages 100000
	kill -"$1" $prober
	server_exits "$2"
	asker_exits 3
	grep -q 'the other end of the probe has ended' "$work/err" || cat "$work/err"
	nothing_is_left
}

interrupted_while_it_waits() {
	serve_probe $other
	kill -TERM $prober
	server_exits 143
	nothing_is_left
}

# ssh_is COMMANDS: a stand-in for ssh runs COMMANDS, as the other host.
ssh_is() {
	printf '#!/bin/bash\n%s\n' "$1" >"$work/ssh"
	chmod +x "$work/ssh"
	[ -e /usr/bin/ssh ] || : >/usr/bin/ssh
	mount --bind "$work/ssh" /usr/bin/ssh
}

by_ssh() {
	local code=$1
	expect "$code" losslessctl probe "${2:-gpu-17}" --via ssh $port --peer-port $other --yes --messages $few_messages
	umount -l /usr/bin/ssh
}

over_ssh() {
	# shellcheck disable=SC2016	# the stand-in's
	ssh_is 'exec sh -c "${!#}"'
	by_ssh 0
	finds verbs 'in_class 3 -> 3' 'in_class 3 -> 3'
	nothing_is_left
}

ssh_fails() {
	ssh_is 'echo "ssh: connect to host gpu-17 port 22: No route to host" >&2; exit 255'
	by_ssh 3
	says 'No route to host'
	says 'the other end of the probe has ended'
}

ssh_has_a_banner() {
	ssh_is 'echo Welcome to gpu-17; cat >/dev/null'
	by_ssh 65
	says 'the other end is no losslessctl probe'
}

peer_is_silent() {
	ssh_is 'cat >/dev/null'
	by_ssh 3
	says 'the other end of the probe does not answer'
}

# within SECONDS COMMAND...: the command takes no longer.
within() {
	local seconds=$1 before=$SECONDS
	shift
	"$@"
	[ $((SECONDS - before)) -le "$seconds" ] || echo "$* took $((SECONDS - before)) s"
}

# The time limit is for a message, not for a byte.
peer_is_slow() {
	ssh_is 'while printf {; do sleep 1; done'
	within 40 by_ssh 3
	says 'the other end of the probe does not answer'
}

# The other end sends gibibytes without a newline; the probe reads no more than a message. What tr says
# of its broken pipe would stand within our own words.
peer_sends_without_end() {
	ssh_is 'tr "\\0" x </dev/zero 2>/dev/null'
	within 20 by_ssh 65
	says 'the other end of the probe sends more than a message'
}

peer_sends_empty_lines() {
	ssh_is 'yes "" | head -n 1000000'
	within 20 by_ssh 65
	says 'the other end is no losslessctl probe'
	nothing_is_left
}

# /dev/full accepts no byte of the report.
full_disk() {
	local json
	for json in '' --json; do
		serve_probe $other
		expect 1 sh -c "losslessctl probe $place --token - $port --yes --messages $few_messages $json >/dev/full" <<<"$token"
		says 'No space left on device'
		server_exits 0
		nothing_is_left
	done
}

# The server must end: no client can connect without the token.
full_disk_at_the_server() {
	expect 1 timeout 20 sh -c "losslessctl probe serve --bind 127.0.0.1 $other >/dev/full"
	says 'write the token: No space left on device'
	nothing_is_left
}

full_disk_at_a_server_by_ssh() {
	echo '{"command":"hello","protocol":1}' >"$work/hello"
	expect 1 sh -c "losslessctl probe serve --stdio $other <$work/hello >/dev/full"
	says 'writing to the other end of the probe: No space left on device'
	nothing_is_left
}

peer_refuses() {
	ssh_is "echo '{\"error\":\"not today\"}'; cat >/dev/null"
	by_ssh 1
	says 'the other end: not today'
}

# A later release may answer this release's "hello".
peer_is_of_another_release() {
	ssh_is "echo '{\"protocol\":2,\"version\":\"9.0\",\"host\":\"gpu-17\",\"ports\":[]}'; cat >/dev/null"
	by_ssh 1
	says 'the other end has losslessctl 9.0, this end'
	says 'install the same release at both ends'
}

host_that_is_an_option() {
	ssh_is 'touch /run/ssh-ran'
	expect 64 losslessctl probe --via ssh --yes -- -oProxyCommand=id
	umount /usr/bin/ssh
	[ ! -e /run/ssh-ran ] || echo 'ssh ran'
}

# Wrong words are refused before anything reaches the network.
words_that_are_wrong() {
	local address
	expect 64 losslessctl probe gpu-17
	says '`probe gpu-17` needs --via ssh, or --token -'
	says 'losslessctl probe serve'
	for address in 127.0.0.1 ::1; do
		expect 64 losslessctl probe "$address" --token - <<<1
		says "\"$address\" has no port, as 192.0.2.1:40123 has"
	done
	for address in 127.0.0.1:65536 '[::1'; do
		expect 64 losslessctl probe "$address" --token - <<<1
		says "\"$address\" is no address, such as 192.0.2.1:40123"
	done
	for address in 0.0.0.0 :: '[::]:4791'; do
		expect 64 losslessctl probe serve --bind "$address"
		says "--bind $address would listen at every address"
	done
	nothing_is_left
}

connect_ports
set_up_ports
it 'a wrong token is refused, and the server goes on' wrong_token
it 'a token opens one connection' used_token
it 'a token among the words is refused' token_in_a_word
in_long it 'silent connections do not keep the client out' silent_connections
in_long it 'a connection without a token is dropped' late_connection
it 'the server refuses commands that there are not' commands
it 'it refuses runs that are out of range' runs_out_of_range
it 'it refuses garbage, and a line without end' garbage
in_long it 'it goes on after a client that ends within a message' ends_at_once
in_long it 'a client that is interrupted ends both perftests' client_dies TERM 143
it 'a client that is killed ends both perftests' client_dies KILL 137
in_long it 'a server that is stopped ends both perftests' server_dies TERM 143
in_long it 'a server that is killed ends both perftests' server_dies KILL 137
it 'a server that waits can be interrupted' interrupted_while_it_waits
in_long it 'ssh starts the other end' over_ssh
it 'ssh that fails gives its reason' ssh_fails
it 'a banner is no answer' ssh_has_a_banner
it 'an error of the other end is reported' peer_refuses
it 'an end of another release is refused' peer_is_of_another_release
it 'a silent end is given up' peer_is_silent
it 'a byte a second is too slow' peer_is_slow
it 'a message without end is cut off' peer_sends_without_end
in_long it 'a million empty lines are no message' peer_sends_empty_lines
in_long it 'a full disk is an error at the client' full_disk
it 'and at the server' full_disk_at_the_server
it 'also where its answers go to a file' full_disk_at_a_server_by_ssh
it 'a host cannot be an option of ssh' host_that_is_an_option
it 'words that cannot mean a probe are refused' words_that_are_wrong
disconnect_ports
tap_end
