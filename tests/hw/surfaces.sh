# shellcheck shell=bash
# The surfaces of a port's settings. For each, words_X sets $words to what other tools report, and
# put_X WAS NOW restores it from the words NOW to the words WAS. To be sourced.
#
# Functions return their results in $words and $value: a process for each would cost minutes.

# The surfaces, in the order of restoring.
surfaces=(link dcbx pfc pause ets maxrate app buffer storm cc roce)

# Debian 12's dcb takes the acknowledgement of its read for the answer to its write. If a second
# ends between the two, their numbers differ, and dcb gives up after it has written: repeat it. dcb
# may report success for a value that the driver refused: every write is read back.
dcb() {
	local code
	for _ in 1 2 3; do
		code=0
		words=$("$dcb_program" -N "$@" 2>&1) || code=$?
		[[ $words == *'Protocol error'* ]] || break
	done
	return $code
}

# dcb_words OBJECT [FIELD...]: set $words to the port's, as JSON without a blank.
dcb_words() {
	dcb -j "$1" show dev "$port" "${@:2}" || words=
	words=${words//[[:space:]]/}
}

# field KEY JSON: set $value to a value of a flat document.
field() {
	value=
	[[ $2 =~ \"$1\":(\[[^]]*\]|\"[^\"]*\"|[a-z0-9.]+) ]] && value=${BASH_REMATCH[1]}
}

# list KEY JSON: set $value to an array's elements, as words.
list() {
	field "$1" "$2"
	value=${value//[][\"]/}
	value=${value//,/ }
}

# numbered WORD...: set $value to 0:WORD 1:WORD …
numbered() {
	local word i=0
	value=
	for word; do
		value+="$((i++)):$word "
	done
}

# find_devices: find the port's PCI function, and the RDMA device whose netdev is the port.
find_devices() {
	local line
	pci=$(readlink "/sys/class/net/$port/device")
	pci=${pci##*/}
	rdma_name=
	while read -r line; do
		[[ " $line " =~ ^\ (link|[0-9]+:)\ ([^ /]+)/.*\ netdev\ $port\  ]] && rdma_name=${BASH_REMATCH[2]}
	done < <(rdma link show)
	cc_folder=/sys/kernel/debug/mlx5/$pci/cc_params
	roce_folder=/sys/kernel/config/rdma_cm/$rdma_name
}

link_is_up() {
	local carrier
	read -r carrier 2>/dev/null <"/sys/class/net/$port/carrier" && [ "$carrier" = 1 ]
}

# await SECONDS COMMAND...: repeat until it succeeds.
await() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}

words_link() {
	local flags mtu up=down
	read -r flags <"/sys/class/net/$port/flags"
	read -r mtu <"/sys/class/net/$port/mtu"
	((flags & 1)) && up=up
	words="mtu $mtu $up"
}

put_link() {
	# shellcheck disable=SC2086	# words are what they are
	ip link set dev "$port" $1
}

words_dcbx() {
	dcb_words dcbx
}

put_dcbx() {
	local flag flags=()
	for flag in host lld_managed cee ieee static; do
		field $flag "$1"
		[ "$value" != true ] || flags+=("${flag//_/-}")
	done
	dcb dcbx set dev "$port" "${flags[@]}"
}

words_pfc() {
	dcb_words pfc prio-pfc delay
}

# pfc_words JSON: set $value to PFC as dcb's own arguments.
pfc_words() {
	list prio_pfc "$1"
	value=${value//true/on}
	# shellcheck disable=SC2086	# words are what they are
	numbered ${value//false/off}
}

put_pfc() {
	local priorities
	pfc_words "$1"
	priorities=$value
	field delay "$1"
	# shellcheck disable=SC2086	# words are what they are
	dcb pfc set dev "$port" prio-pfc $priorities delay "$value"
}

# Set $words to arguments that ethtool accepts.
words_pause() {
	local said
	said=$(ethtool -a "$port" 2>&1)
	words=
	[[ $said =~ Autonegotiate:[[:space:]]*(on|off).*RX:[[:space:]]*(on|off).*TX:[[:space:]]*(on|off) ]] &&
		words="autoneg ${BASH_REMATCH[1]} rx ${BASH_REMATCH[2]} tx ${BASH_REMATCH[3]}"
}

put_pause() {
	# shellcheck disable=SC2086	# words are what they are
	ethtool -A "$port" $1
}

words_ets() {
	dcb_words ets prio-tc tc-tsa tc-bw
}

put_ets() {
	local key arguments=()
	for key in prio_tc tc_tsa tc_bw; do
		list $key "$1"
		# shellcheck disable=SC2086	# words are what they are
		numbered $value
		# shellcheck disable=SC2206
		arguments+=("${key/_/-}" $value)
	done
	dcb ets set dev "$port" "${arguments[@]}"
}

words_maxrate() {
	dcb_words maxrate
}

# dcb reads in other units than it writes, depending on its version; but the number to write is
# always eight times the number read.
put_maxrate() {
	local rate arguments=() i=0
	list tc_maxrate "$1"
	for rate in $value; do
		arguments+=("$((i++)):$((rate * 8))bit")
	done
	dcb maxrate set dev "$port" tc-maxrate "${arguments[@]}"
}

words_app() {
	dcb_words app
}

# entries JSON: set $value to the entries as "dscp-prio 26:3", one a line.
entries() {
	local rest=$1 kind pairs
	value=
	while [[ $rest =~ ^[^\"]*\"([a-z_]+)\":\[((\[[0-9]+,[0-9]+\],?)*)\](.*)$ ]]; do
		kind=${BASH_REMATCH[1]//_/-} pairs=${BASH_REMATCH[2]} rest=${BASH_REMATCH[4]}
		while [[ $pairs =~ ^,?\[([0-9]+),([0-9]+)\](.*)$ ]]; do
			value+="$kind ${BASH_REMATCH[1]}:${BASH_REMATCH[2]}"$'\n'
			pairs=${BASH_REMATCH[3]}
		done
	done
}

# each_missing_in LINES OTHER COMMAND: run dcb's COMMAND for each line that OTHER lacks.
each_missing_in() {
	local line
	while read -r line; do
		# shellcheck disable=SC2086	# words are what they are
		[[ -z $line || $'\n'$2 == *$'\n'$line$'\n'* ]] || dcb app "$3" dev "$port" $line
	done <<<"$1"
}

put_app() {
	local was now
	entries "$1"
	was=$value
	entries "$2"
	now=$value
	each_missing_in "$now" "$was" del
	each_missing_in "$was" "$now" replace
}

# There is no put_buffer: buffers, once written, stay manual until the driver starts again.
words_buffer() {
	dcb_words buffer
}

words_storm() {
	words=$(ethtool --get-tunable "$port" pfc-prevention-tout 2>/dev/null)
	words=${words##* }
}

put_storm() {
	ethtool --set-tunable "$port" pfc-prevention-tout "$1"
}

# Alphabetical order is needed: writing np_cnp_prio clears its mode, which comes after it.
words_cc() {
	local file number
	words=
	for file in "$cc_folder"/*; do
		read -r number 2>/dev/null <"$file" && words+="${file##*/} $number"$'\n'
	done
}

put_cc() {
	local name number now
	while read -r name number; do
		[ -n "$name" ] || continue
		read -r now <"$cc_folder/$name"
		[ "$now" = "$number" ] || echo "$number" >"$cc_folder/$name"
	done <<<"$1"
}

words_roce() {
	local tos mode
	words=absent
	[ -d "$roce_folder/ports/1" ] || return
	read -r tos <"$roce_folder/ports/1/default_roce_tos"
	read -r mode <"$roce_folder/ports/1/default_roce_mode"
	words="$tos $mode"
}

# Remove a directory that the run created. Its values stay in the device, so restore them first.
put_roce() {
	local was=$1
	[ "$was" != absent ] || was=$(cat "$state/roce_of_absent" 2>/dev/null)
	if [ -n "$was" ]; then
		mkdir -p "$roce_folder"
		echo "${was%% *}" >"$roce_folder/ports/1/default_roce_tos"
		echo "${was#* }" >"$roce_folder/ports/1/default_roce_mode"
	fi
	[ "$1" != absent ] || rmdir "$roce_folder"
}

# make_roce_folder: create the directory if it is missing, and record its initial values.
make_roce_folder() {
	[ ! -d "$roce_folder/ports/1" ] || return 0
	modprobe -q rdma_cm
	mkdir "$roce_folder" 2>/dev/null && words_roce && echo "$words" >"$state/roce_of_absent"
}

# keep_words FOLDER: write the words of every surface to FOLDER.
keep_words() {
	local surface
	(umask 077 && mkdir -p "$1") || exit 1
	for surface in "${surfaces[@]}"; do
		"words_$surface"
		printf '%s\n' "$words" >"$1/$surface"
	done
}

# remember: record the port before the first write, as a whole or not at all.
remember() {
	rm -rf "$state" && keep_words "$state/new"
	! link_is_up || : >"$state/carrier"
	sync
	mv "$state/new" "$state/words"
}

forget() {
	rm -rf "$state"
}

# link_is_back: wait up to 60 s for the link, if the port had one when it was recorded.
link_is_back() {
	[ ! -e "$state/carrier" ] || await 60 link_is_up
}

# was SURFACE: set $value to its recorded words.
was() {
	IFS= read -r -d '' value <"$state/words/$1"
	value=${value%$'\n'}
}

# is_as_it_was SURFACE: read it again, and compare it with the record.
is_as_it_was() {
	was "$1"
	"words_$1"
	[ "$value" = "$words" ]
}

# bring_back SURFACE...: restore each that differs from the record; fail if none does.
bring_back() {
	local surface code=1
	for surface; do
		is_as_it_was "$surface" && continue
		code=0
		! type "put_$surface" >/dev/null 2>&1 || "put_$surface" "$value" "$words" >/dev/null 2>&1
	done
	return $code
}

# is_back SURFACE: verify it, and report a difference.
is_back() {
	! is_as_it_was "$1" || return 0
	printf 'could not be restored: %s of %s\n  was: %s\n  is:  %s\n' "$1" "$port" "$value" "$words" >&2
	return 1
}

# port_is_there: wait for the port, which may take a while after a reload.
port_is_there() {
	await 60 test -e "/sys/class/net/$port/carrier" ||
		{ echo "could not be restored: $port is gone; what it had is in $state" >&2 && false; }
}

# put_back SURFACE,...|reload: restore these; "reload", also used at the end, means all.
put_back() {
	local surface code=0 which=("${surfaces[@]}")
	[ "$1" = reload ] || IFS=, read -ra which <<<"$1"
	port_is_there || return
	bring_back "${which[@]}" || return 0
	link_is_back || echo "the link of $port has not come back within 60 s" >&2
	for surface in "${which[@]}"; do
		is_back "$surface" || code=1
	done
	[ $code -eq 0 ] ||
		echo "what it had is in $state; try again: tests/hw/accept $port --restore" >&2
	return $code
}
