# shellcheck shell=bash
# Install npm packages. To be sourced.

# npm_ci SOURCE DIRECTORY: install the versions of SOURCE's lock file in DIRECTORY, once.
npm_ci() {
	mkdir -p "$2"
	cp "$1/package.json" "$2/"
	! cmp -s "$1/package-lock.json" "$2/package-lock.json" || return 0
	cp "$1/package-lock.json" "$2/"
	npm --prefix "$2" ci --silent --no-audit --no-fund || { rm "$2/package-lock.json" && return 1; }
}
