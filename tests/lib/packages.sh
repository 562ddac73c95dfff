# shellcheck shell=bash
# Install the Debian packages that the tests need. To be sourced.

# packages_missing LIST…: print the packages that are not installed and whose command is missing.
# The command is enough: a newer node excludes Debian's npm, but brings its own.
packages_missing() {
	local name
	sort -u "$@" | while read -r name; do
		[ "$(dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | head -n 1)" = installed ] ||
			command -v "$name" >/dev/null || echo "$name"
	done
}

# packages_install LIST…: install the missing packages, if there are any.
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
