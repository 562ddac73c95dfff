# shellcheck shell=bash
# Build folders of the gates. To be sourced, from the top of the checkout.

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
	[ ! -d build/vm ] || [ -d "$1/vm" ] || { mkdir "$1/vm" && cp -al build/vm/{kernel-*,lldpad,prometheus} "$1/vm/"; }
}
