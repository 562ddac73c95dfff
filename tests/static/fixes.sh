# shellcheck shell=bash
# Tests of the commands that messages tell people to run.

fixes_are_listed() {
	python3 tests/static/fixes.py
}

# The comparison must notice a new command, and a test that no longer runs one.
# shellcheck disable=SC2016
fixes_are_compared() {
	local copy
	copy=$(mktemp -d)
	cp -a --parents policy agent dcb roce cli tests/{static,system,packaging} "$copy/"
	sed -i 's/run `modprobe rdma_cm`/run `modprobe rdma_ucm`/' "$copy/roce/rdma_cm.c"
	sed -i 's/setpci/lspci/' "$copy/tests/system/ready_pcie.sh"
	diff <(printf '%s\n' 'does not run' 'does not run' 'does not run' \
		'lacks `modprobe rdma_ucm`' 'no text has `modprobe rdma_cm`') \
		<(cd "$copy" && python3 tests/static/fixes.py | grep -oE 'does not run|(lacks|no text has) .*' | sort)
	rm -rf "$copy"
}

fixes_tests() {
	it "every command of a text is in tests/static/fixes.tsv, with its kind and its test" fixes_are_listed
	it "a command that is new, and a test that no longer runs one, are noticed" fixes_are_compared
}
