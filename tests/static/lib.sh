# shellcheck shell=bash
# Build directories of the gates. To be sourced, from the top of the checkout.
unset LOSSLESSCTL_TEST_LONG # gates use the short tests, which reach as much as the long ones

# gate_setup FOLDER OPTION…: set the directory up once; later runs only build changed files.
gate_setup() {
	local folder=$1
	shift
	[ -f "$folder/build.ninja" ] || meson setup "$folder" "$@" >/dev/null
}

# gate_build FOLDER OPTION…: build, and print only warnings and errors; continue after a failure.
gate_build() {
	gate_setup "$@"
	ninja --quiet -k 0 -C "$1" | sed -n '/warning:\|error:/p'
	[ "${PIPESTATUS[0]}" -eq 0 ]
}

# gate_guests FOLDER: link the guests' files, to avoid fetching and unpacking kernels again.
gate_guests() {
	local part
	[ -d build/vm ] && [ ! -d "$1/vm" ] || return 0
	mkdir "$1/vm"
	for part in build/vm/{kernel-*,lldpad,prometheus}; do
		[ ! -e "$part" ] || cp -al "$part" "$1/vm/"
	done
}
