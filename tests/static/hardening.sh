# shellcheck shell=bash
# Tests of the hardening that the compiler and the linker add to the program.

program=$build/losslessctl

# has WHAT PATTERN COMMAND...: check that the command's output matches the pattern.
has() {
	grep -qE -- "$2" <<<"$("${@:3}" 2>/dev/null)" || echo "no $1"
}

lies_anywhere() {
	has 'position-independent type' 'Type: *DYN' readelf -hW "$program"
	has 'mark of a PIE' 'FLAGS_1.*PIE' readelf -dW "$program"
}

tables_are_read_only() {
	has 'RELRO' 'GNU_RELRO' readelf -lW "$program"
	has 'binding at start' 'FLAGS_1.*NOW' readelf -dW "$program"
}

data_does_not_run() {
	has 'stack without X' 'GNU_STACK .* RW +0x' readelf -lW "$program"
	readelf -lW "$program" | grep -E 'LOAD .* RWE' || true
}

calls_are_checked() {
	has 'stack protector' '__stack_chk_fail' readelf -W --dyn-syms "$program"
	has '_FORTIFY_SOURCE' '__(snprintf|vsnprintf|memcpy|read)_chk' readelf -W --dyn-syms "$program"
}

# Stack clash protection leaves no mark but the compiler's options in the debug information.
large_stacks_are_probed() {
	local compiled
	compiled=$(readelf --debug-dump=info "$program" 2>/dev/null | grep 'DW_AT_producer.*GNU C17')
	[[ $compiled == *-fstack-clash-protection* ]] || echo "nothing compiled so"
}

# Only x86 has CET. A program has the mark only if libc has it, so check our objects.
jumps_land_where_they_may() {
	[[ $(uname -m) == x86_64 ]] || return 0
	readelf -nW "$build"/{policy,agent,dcb,roce}/lib*.a.p/*.o "$build"/{libcli.a,losslessctl}.p/*.o | awk '
		function tell() { if (object && !marked) print "no CET in " object }
		/^File: / { tell(); object = $2; marked = 0 }
		/IBT, SHSTK/ { marked = 1 }
		END { tell(); if (!object) print "no object" }'
}

hardening_tests() {
	it "the program lies anywhere (PIE)" lies_anywhere
	it "what the linker fills in is read-only from the start (RELRO, BIND_NOW)" tables_are_read_only
	it "nothing that can be written can be run" data_does_not_run
	it "stacks and buffers are checked (stack protector, FORTIFY)" calls_are_checked
	it "large stacks are probed (stack clash)" large_stacks_are_probed
	it "jumps land only where they may (CET)" jumps_land_where_they_may
}
