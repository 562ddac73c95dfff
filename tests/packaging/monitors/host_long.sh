#!/usr/bin/env bash
# Tests of packaging/nagios: Nagios and Icinga 2 themselves accept the definitions. Prints TAP.
# Their packages are unpacked and never installed, as they would install and start a mail server.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

work=$PWD/build/monitors
tree=$work/tree
packages=(nagios4-core icinga2-bin icinga2-common libboost-context1.74.0 libboost-thread1.74.0
	libboost-coroutine1.74.0 libboost-filesystem1.74.0 libboost-iostreams1.74.0
	libboost-program-options1.74.0 libboost-regex1.74.0 libboost-system1.74.0
	libprotobuf-lite32 libmariadb3 libpq5 libyajl2 libicu72 libltdl7)
export LD_LIBRARY_PATH=$tree/usr/lib/x86_64-linux-gnu

unpack() {
	local deb
	[ ! -e "$work/unpacked" ] || return 0
	rm -rf "$work"
	mkdir -p "$work"
	(cd "$work" && apt-get download "${packages[@]}") >"$work/log" 2>&1 || tail "$work/log"
	for deb in "$work"/*.deb; do
		dpkg-deb -x "$deb" "$tree"
	done
	touch "$work/unpacked"
}

# Write a site with a host, its group, and the template that Nagios has.
nagios_site() {
	cat >"$work/nagios.cfg" <<-END
		cfg_file=$work/site.cfg
		cfg_file=$1
		check_result_path=$work
		lock_file=$work/lock
		log_file=$work/nagios.log
		object_cache_file=$work/objects
		nagios_user=$(id -un)
		nagios_group=$(id -gn)
		illegal_macro_output_chars=\`~$&|'"<>
	END
	cat >"$work/site.cfg" <<-'END'
		define timeperiod {
			timeperiod_name 24x7
			alias           always
		}
		define contact {
			contact_name                  admin
			host_notifications_enabled    0
			service_notifications_enabled 0
			host_notification_commands    true
			service_notification_commands true
			host_notification_period      24x7
			service_notification_period   24x7
		}
		define command {
			command_name true
			command_line /bin/true
		}
		define service {
			name                generic-service
			max_check_attempts  3
			retry_interval      1
			check_period        24x7
			notification_period 24x7
			contacts            admin
			register            0
		}
		define hostgroup {
			hostgroup_name roce-hosts
			members        gpu-node-1
		}
		define host {
			host_name          gpu-node-1
			address            127.0.0.1
			check_command      true
			max_check_attempts 1
			check_period       24x7
			contacts           admin
		}
	END
}

nagios_takes() {
	nagios_site "$1"
	"$tree/usr/sbin/nagios4" -v "$work/nagios.cfg" >"$work/said" 2>&1
}

nagios_is_content() {
	nagios_takes "$PWD/packaging/nagios/losslessctl.cfg" || tail -n 30 "$work/said"
	found grep -E '^(Warning|Error):' "$work/said"
	grep -q 'Checked 2 services' "$work/said" || cat "$work/said"
}

nagios_refuses_what_is_wrong() {
	sed '/check_command/s/check_losslessctl$/check_lossless/' packaging/nagios/losslessctl.cfg >"$work/wrong.cfg"
	! nagios_takes "$work/wrong.cfg" || echo 'it took a service without a command'
}

icinga_takes() {
	cat >"$work/icinga2.conf" <<-END
		include <itl>
		object HostGroup "roce-hosts" { }
		object Endpoint "monitor" { }
		object Zone "master" { endpoints = [ "monitor" ] }
		object Endpoint "gpu-node-1" { }
		object Zone "gpu-node-1" { endpoints = [ "gpu-node-1" ]; parent = "master" }
		object Host "gpu-node-1" {
			check_command = "dummy"
			groups = [ "roce-hosts" ]
			zone = "master"
		}
		include "$1"
	END
	mkdir -p "$work/data" "$work/cache"
	"$tree/usr/lib/x86_64-linux-gnu/icinga2/sbin/icinga2" daemon -C -c "$work/icinga2.conf" \
		-I "$tree/usr/share/icinga2/include" -D Configuration.RunAsUser="$(id -un)" \
		-D Configuration.RunAsGroup="$(id -gn)" -D Configuration.DataDir="$work/data" \
		-D Configuration.CacheDir="$work/cache" -D Configuration.InitRunDir="$work/data" \
		-D Configuration.LogDir="$work/data" >"$work/said" 2>&1
}

icinga_is_content() {
	icinga_takes "$PWD/packaging/nagios/losslessctl-icinga2.conf" || tail -n 30 "$work/said"
	grep -q 'Instantiated 2 Services' "$work/said" || cat "$work/said"
	found grep -E 'warning|critical' "$work/said"
}

icinga_refuses_what_is_wrong() {
	sed 's/check_command = "losslessctl"/check_command = "lossless"/' \
		packaging/nagios/losslessctl-icinga2.conf >"$work/wrong.conf"
	! icinga_takes "$work/wrong.conf" || echo 'it took a service without a command'
}

it 'Nagios and Icinga 2 are there' unpack
it 'Nagios takes the commands and the services' nagios_is_content
it 'Nagios refuses a service without its command' nagios_refuses_what_is_wrong
it 'Icinga 2 takes the commands and the services' icinga_is_content
it 'Icinga 2 refuses a service without its command' icinga_refuses_what_is_wrong
tap_end
