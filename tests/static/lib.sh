# shellcheck shell=bash
# Build folders of the gates. To be sourced, from the top of the checkout.
unset LOSSLESSCTL_TEST_LONG # each looks at the short tests, which reach all that the long ones do

# gate_setup FOLDER OPTION…: once; another run only builds what has changed.
gate_setup() {
	local folder=$1
	shift
	[ -f "$folder/build.ninja" ] || meson setup "$folder" "$@" >/dev/null
}

# gate_build FOLDER OPTION…: quiet when all is well, and goes on after a file that fails.
gate_build() {
	gate_setup "$@"
	ninja --quiet -k 0 -C "$1" | sed -n '/warning:\|error:/p'
	[ "${PIPESTATUS[0]}" -eq 0 ]
}

# gate_guests FOLDER: a build folder of its own need not fetch and unpack kernels again.
gate_guests() {
	local part
	[ -d build/vm ] && [ ! -d "$1/vm" ] || return 0
	mkdir "$1/vm"
	for part in build/vm/{kernel-*,lldpad,prometheus}; do
		[ ! -e "$part" ] || cp -al "$part" "$1/vm/"
	done
}
