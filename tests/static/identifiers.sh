# shellcheck shell=bash
# Tests of the names that users depend on: each change of a name is one line in a review.

identifiers_agree() {
	python3 tests/static/identifiers.py "$build"
}

# The comparison must notice removed and added names.
identifiers_are_compared() {
	local copy said
	copy=$(mktemp -d)
	cp -a --parents tests/golden/v1 tests/static/identifiers.py tests/packaging/prometheus/metrics.prom \
		packaging/{schema,prometheus,kubernetes} agent cli dcb roce "$copy/"
	sed -i 's/"LOSSLESSCTL_PORT="/"LOSSLESSCTL_NETDEV="/' "$copy/agent/host/log.c"
	said=$(cd "$copy" && python3 tests/static/identifiers.py "$build" | grep '^[-+]')
	rm -rf "$copy"
	diff <(printf '%s\n' '+journal-field LOSSLESSCTL_NETDEV' '-journal-field LOSSLESSCTL_PORT') \
		<(sort <<<"$said")
}

identifiers_tests() {
	it "every name outside is in tests/golden/v1/identifiers, and no other" identifiers_agree
	it "a name that changes is noticed" identifiers_are_compared
}
