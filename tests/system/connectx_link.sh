#!/usr/bin/env bash
# long: 7.3
# The simulated adapter's link, as Debian's driver sees and sets it.
. tests/system/lib.sh

speed_of() { cat "/sys/class/net/$1/speed"; }
losses_of() { ethtool -S "$1" | awk '$1 == "link_down_events_phy:" { print $2 }'; }
active_fec() { ethtool --show-fec $port | sed -n 's/^Active FEC encoding[s]*: //p'; }
set_fec() { ethtool --set-fec $port encoding "$1" && wait_carrier; }

speeds_are_taken() {
	local mbps before
	for mbps in 10000 25000 40000 50000 100000; do
		before=$(losses_of $other)
		expect 0 ethtool -s $port speed $mbps autoneg off
		wait_carrier
		same 'speed of the port' $mbps "$(speed_of $port)"
		same 'speed of its peer' $mbps "$(speed_of $other)"
		same 'losses of the link' $((before + 1)) "$(losses_of $other)"
	done
	expect 0 ethtool -s $port autoneg on
	wait_carrier
	same 'speed with autonegotiation' 100000 "$(speed_of $port)"
}

unknown_speeds_are_refused() {
	local before
	before=$(losses_of $port)
	ethtool -s $port speed 400000 autoneg off 2>/dev/null && echo '400 Gb/s is taken'
	same 'losses of the link' "$before" "$(losses_of $port)"
}

fec_follows() {
	set_fec off
	same 'FEC that was switched off' Off "$(active_fec)"
	set_fec rs
	same 'FEC that was set' RS "$(active_fec)"
	set_fec auto
	same 'FEC of the adapter at 100 Gb/s' RS "$(active_fec)"
	ethtool -s $port speed 10000 autoneg off && wait_carrier
	same 'FEC of the adapter at 10 Gb/s' Off "$(active_fec)"
	ethtool -s $port autoneg on && wait_carrier
}

it "each speed of the adapter can be set, and the link trains once for it" speeds_are_taken
it "a speed that the adapter lacks is refused" unknown_speeds_are_refused
it "FEC is what was set, or else what suits the speed" fec_follows
tap_end
