#!/usr/bin/env bash
# only: 6.12
# losslessctl probe --via ssh with OpenSSH at both ends: whichever process ends, and however, both
# ends are gone, the client reports why, and the same probe works at once afterwards.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh

# The algorithms are those that take an emulated processor the least.
start_sshd() {
	mkdir -p /run/sshd /etc/ssh/ssh_config.d "$work/ssh"
	sed -i '/^root:/s|[^:]*$|/bin/sh|' /etc/passwd # starts sooner than bash with a .bashrc
	grep -q ^sshd: /etc/passwd || echo 'sshd:x:74:65534::/run/sshd:/usr/sbin/nologin' >>/etc/passwd
	ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/host"
	ssh-keygen -q -t ed25519 -N '' -f "$work/ssh/key"
	printf '%s\n' 'ListenAddress 127.0.0.1:2222' "HostKey $work/ssh/host" 'PidFile none' \
		"AuthorizedKeysFile $work/ssh/key.pub" "SetEnv PATH=$PATH" >"$work/ssh/sshd_config"
	printf '%s\n' 'Host gpu-17' 'HostName 127.0.0.1' 'Port 2222' "IdentityFile $work/ssh/key" \
		'StrictHostKeyChecking no' "UserKnownHostsFile $work/ssh/known" 'LogLevel ERROR' \
		'KexAlgorithms curve25519-sha256' 'Ciphers aes128-ctr' 'MACs hmac-sha2-256' \
		>/etc/ssh/ssh_config.d/probe.conf
	: >"$work/ssh/log"
	sshd -D -e -f "$work/ssh/sshd_config" 2>"$work/ssh/log" &
	sshd=$!
	until grep -q 'Server listening' "$work/ssh/log" || [ ! -e /proc/$sshd ]; do sleep 0.05; done
}

many_messages=100000 # enough to last until the kill
over_ssh=(losslessctl probe gpu-17 --via ssh "$port" --peer-port "$other" --yes)

works() {
	expect 0 "${over_ssh[@]}" --messages $few_messages
	nothing_is_left
}

first() {
	works
	finds verbs 'in_class 3 -> 3' 'in_class 3 -> 3'
}

# Each end is a process with its helper; the server's helper has the same command line.
client() { echo "$asker"; }
client_helper() { pgrep -o -x losslessctl -P "$asker"; } # the other one prints what ssh says
client_perftest() { pgrep -x ib_write_bw -P "$(client_helper)"; }
ssh_client() { pgrep -x ssh; }
server() { pgrep -o -f '^losslessctl probe serve'; }
server_helper() { pgrep -x losslessctl -P "$(server)"; }
server_perftest() { pgrep -x ib_write_bw -P "$(server_helper)"; }

begin_over_ssh() {
	"${over_ssh[@]}" --messages $many_messages >"$work/out" 2>"$work/err" &
	asker=$!
	perftest_sends
}

# after SIGNAL WHO CODE TEXT: send SIGNAL to WHO during a probe, whose traffic stands still until
# then, as looking for WHO may take longer than the traffic. The next test begins with a probe that
# must work; only the long run completes one after each signal.
after() {
	begin_over_ssh
	pkill -STOP -x ib_write_bw
	kill -"$1" "$($2)"
	pkill -CONT -x ib_write_bw
	asker_exits "$3"
	says "$4"
	nothing_is_left
	! is_long || works
}

# The terminal sends SIGINT to ssh as well. The shell lets background processes ignore it.
interrupted_at_the_terminal() {
	mkfifo "$work/keys"
	env --default-signal=INT script -qefc "${over_ssh[*]} --messages $many_messages" /dev/null <"$work/keys" >"$work/out" 2>"$work/err" &
	asker=$!
	exec {keys}>"$work/keys"
	perftest_sends
	printf '\003' >&$keys
	asker_exits 130
	exec {keys}>&-
	nothing_is_left
	works
}

# The user reads how much traffic the probe will send, and agrees.
agreed_at_the_terminal() {
	local words="${over_ssh[*]} --messages $few_messages"
	echo y | script -qec "${words/ --yes/}" /dev/null >"$work/typed" 2>&1
	same 'exit code' 0 $?
	tr -d '\r' <"$work/typed" >"$work/out"
	says '2 hosts, 2 runs of 2.0 MB in 1 round, at most'
	says 'Start the traffic? [y/N]'
	finds verbs 'in_class 3 -> 3' 'in_class 3 -> 3'
	nothing_is_left
}

no_such_key() {
	mv "$work/ssh/key" "$work/ssh/lost"
	expect 3 "${over_ssh[@]}"
	mv "$work/ssh/lost" "$work/ssh/key"
	says 'Permission denied'
	says 'the other end of the probe has ended'
	nothing_is_left
}

# The other host chooses what its losslessctl prints, and where a terminal would obey it.
escapes_are_shown() {
	local key
	key=$(<"$work/ssh/key.pub")
	# shellcheck disable=SC2016	# sshd's shell has the variable
	printf 'command="%s; exec $SSH_ORIGINAL_COMMAND" %s\n' \
		"printf '\\033]0;owned\\007 \\033[31mred\\n' >&2" "$key" >"$work/ssh/key.pub"
	works
	says '\x1b]0;owned\x07 \x1b[31mred'
	! grep -q $'\033' "$work/err" || cat -v "$work/err"
	echo "$key" >"$work/ssh/key.pub"
}

connect_ports
set_up_ports
start_sshd
paths '"verbs"' # one path is enough here
ended='the other end of the probe has ended'
it 'a probe over OpenSSH has its run in class' first
it 'a user at a terminal is asked, and agrees' agreed_at_the_terminal
in_long it '^C at the terminal ends both ends' interrupted_at_the_terminal
in_long it 'so does SIGINT at the server' after INT server 3 "$ended"
in_long it 'SIGTERM at the client' after TERM client 143 ''
in_long it 'kill -9 of the client' after KILL client 137 ''
in_long it 'kill -9 of ssh' after KILL ssh_client 3 "$ended"
in_long it 'kill -9 of the server' after KILL server 3 "$ended"
in_long it "kill -9 of the client's perftest" after KILL client_perftest 3 'unknown perftest was killed'
in_long it "kill -9 of the server's perftest" after KILL server_perftest 3 'unknown perftest was killed'
in_long it "kill -9 of the client's helper" after KILL client_helper 1 'the process that runs perftest has ended'
in_long it "kill -9 of the server's helper" after KILL server_helper 1 'the process that runs perftest has ended'
it 'after all of them a probe works at once' works
it 'what the other host prints moves no cursor' escapes_are_shown
it 'a key that is not accepted is the reason that ssh gives' no_such_key
kill "$sshd"
disconnect_ports
tap_end
