# shellcheck shell=bash
# A record of all that can be read, without names and addresses of this host. To be sourced.

# originals: "original replacement", one a line: each is replaced wherever it is found.
originals() {
	local number=0 word
	echo "$pci 0000:01:00.0"
	for word in $(uname -n) $(hostname -f 2>/dev/null); do
		grep -qF "\"$word\":" "$raw/show.json" || echo "$word host" # a common word tells nobody
	done
	known_addresses | sort -u | while read -r word; do
		number=$((number + 1))
		replacement "$word" $number
	done
	devlink -j dev info "pci/$pci" 2>/dev/null | tr ',{}' '\n' |
		sed -nE 's/^"[a-z._]*serial[a-z._]*": ?"([^"]+)"$/\1 SERIAL/p'
}

# MACs, GUIDs and GIDs: of the same length as they are.
known_addresses() {
	local folder=/sys/class/infiniband/$rdma_name
	cat "/sys/class/net/$port/address"
	ip link show dev "$port" | sed -nE 's/.* permaddr ([0-9a-f:]+).*/\1/p'
	[ -n "$rdma_name" ] || return
	cat "$folder"/node_guid "$folder"/sys_image_guid
	cat "$folder"/ports/1/gids/* | grep -v '^[0:]*$' | grep -vx 'fe80:[0:]*' |
		sed -E 's/^fe80(:0000){3}://'
}

replacement() {
	case $1 in
	*:*:*:*:*:*:*:*) printf '%s 2001:0db8:0000:0000:0000:0000:0000:%04x\n' "$1" "$2" ;;
	??:*) printf '%s 02:00:00:00:00:%02x\n' "$1" "$2" ;;
	*) printf '%s 0200:00ff:fe00:%04x\n' "$1" "$2" ;;
	esac
}

# escaped WORD: for sed, where it is a text and no pattern.
escaped() {
	sed 's/[][\.*^$/]/\\&/g' <<<"$1"
}

# Names stand alone; what is longer is replaced first.
write_sed() {
	local from to
	awk '{ print length($1), $0 }' "$work/originals" | sort -rn | while read -r _ from to; do
		printf 's/\\b%s\\b/%s/gI\n' "$(escaped "$from")" "$to"
	done
}

# recorded NAME COMMAND...: what it says; a command that is refused leaves why.
recorded() {
	local name=$1
	shift
	"$@" >"$raw/$name" 2>&1 || true
}

# Every file of the kernel's that show opens, as strace sees it.
record_files() {
	local path
	strace -f -o "$work/trace" -e trace=openat losslessctl --json show "$port" >/dev/null 2>&1 || return
	grep -v ENOENT "$work/trace" | sed -nE 's/.*openat\([^,]*, "\/?((sys|proc\/sys)\/[^"]*)", O_RDONLY(\|O_CLOEXEC)?\).*/\1/p' |
		sort -u | while read -r path; do
			[[ $path == sys/class/net/* && $path != sys/class/net/$port/* ]] && continue
			mkdir -p "$raw/files/${path%/*}"
			cat "/$path" >"$raw/files/$path" 2>/dev/null || rm -f "$raw/files/$path"
		done
}

record_all() {
	local object
	recorded show.json losslessctl --json show "$port"
	for object in dcbx pfc ets maxrate buffer app; do
		recorded "dcb-$object.json" "$dcb_program" -N -j "$object" show dev "$port"
	done
	recorded ethtool-a ethtool -a "$port"
	recorded ethtool-i ethtool -i "$port"
	recorded ethtool-S ethtool -S "$port"
	recorded ethtool-tunable ethtool --get-tunable "$port" pfc-prevention-tout
	rdma_name=${rdma_name:-none}
	recorded rdma-link.json rdma -j link show "$rdma_name/1"
	recorded rdma-dev.json rdma -j dev show "$rdma_name"
	recorded rdma-statistic.json rdma -j statistic show link "$rdma_name/1"
	recorded devlink-param.json devlink -j dev param show "pci/$pci"
	recorded devlink-info.json devlink -j dev info "pci/$pci"
	recorded kernel uname -srm
	record_files
}

# Paths, too: their folders are named after devices.
anonymise() {
	local path
	write_sed >"$work/sed"
	find "$raw" -type f | while read -r path; do
		path=${path#"$raw"/}
		mkdir -p "$1/$(dirname "$(sed -f "$work/sed" <<<"$path")")"
		sed -f "$work/sed" "$raw/$path" >"$1/$(sed -f "$work/sed" <<<"$path")"
	done
}

# leaks FOLDER: what of this host is still there, and what looks like an address that is not ours.
leaks() {
	cut -d' ' -f1 "$work/originals" | grep -rnwiFf - "$1"
	(cd "$1" && find .) | grep -wiFf <(cut -d' ' -f1 "$work/originals")
	grep -rnoE '\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b' "$1" | grep -v ':02:00:00:00:00:..$'
	grep -rnoE '\b([0-9]{1,3}\.){3}[0-9]{1,3}\b' "$1"
}

# record FOLDER
record() {
	local raw=$work/raw
	[ ! -e "$1" ] || { echo "accept: $1 is there already" >&2 && return 1; }
	type strace >/dev/null 2>&1 || { echo 'accept: strace is missing: apt-get install strace' >&2 && return 1; }
	mkdir -p "$raw"
	record_all
	originals >"$work/originals"
	mkdir -p "$1" && anonymise "$1"
	leaks "$1" >"$work/leaks"
	[ -s "$work/leaks" ] || return 0
	rm -rf "$1"
	echo "accept: no bundle, as this would be told:" >&2
	cut -c1-200 "$work/leaks" | head -n 10 >&2
	return 1
}
