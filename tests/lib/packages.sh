# shellcheck shell=bash
# Getting the Debian packages that the tests need. To be sourced.

# packages_missing LIST…: those of the lists that are not installed, and whose command nobody else
# has brought: who has a newer node cannot have Debian's npm, and has one.
packages_missing() {
	local name
	sort -u "$@" | while read -r name; do
		[ "$(dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | head -n 1)" = installed ] ||
			command -v "$name" >/dev/null || echo "$name"
	done
}

# packages_install LIST…: installs what is missing, if anything is.
packages_install() {
	local missing
	mapfile -t missing < <(packages_missing "$@")
	[ "${#missing[@]}" -gt 0 ] || return 0
	echo "missing: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ]; then
		echo "run as root once, or: sudo apt-get install ${missing[*]}" >&2
		return 1
	fi
	apt-get -q update || echo "the lists are old: going on with them"
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
}
