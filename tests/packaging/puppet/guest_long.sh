#!/usr/bin/env bash
# only: 6.12
# Tests of the Puppet class on a port. Each run of Puppet takes a minute here.
. tests/system/lib.sh

program=$(command -v losslessctl)

# puppet_run CODE OPTION...: check the exit code: 0 is no change, 2 changes, 4 and 6 failures.
puppet_run() {
	local code=$1
	shift
	expect "$code" puppet apply --detailed-exitcodes --color=false --modulepath packaging/puppet \
		"$@" "$work/site.pp"
}

write_site() {
	cat >"$work/site.pp" <<-END
		class { 'losslessctl':
		  source         => '$policy',
		  manage_package => false,
		  program        => '$program',
		  lock_timeout   => 0,
		}
	END
}

the_manifest_is_valid() {
	puppet parser validate packaging/puppet/losslessctl/manifests/init.pp
}

noop_tells_and_changes_nothing() {
	local before
	before=$(changes)
	puppet_run 0 --noop
	says "losslessctl apply]/returns: current_value 'notrun', should be ['0'] (noop)"
	same 'changes that drivers were asked for' "$before" "$(changes)"
	[ ! -e /etc/losslessctl/policy.json ] || echo 'the policy is there'
}

a_failure_has_its_words() {
	connectx $port fault QTCT fail internal_err 1
	puppet_run 6
	says "$port: writing ets"
}

it_applies() {
	puppet_run 2
	expect 0 losslessctl verify
}

again_changes_nothing() {
	local before
	before=$(changes)
	puppet_run 0
	same 'changes that drivers were asked for' "$before" "$(changes)"
}

mkdir -p /var/lib/puppet /var/log/puppet && mount -t tmpfs tmpfs /var/cache
reset_ports
write_site
it 'the manifest is valid' the_manifest_is_valid
it 'with --noop it reports changes, and makes none' noop_tells_and_changes_nothing
it 'a failure is reported in the words of losslessctl' a_failure_has_its_words
it 'the ports are set up' it_applies
it 'a second run changes nothing' again_changes_nothing
tap_end
