# shellcheck shell=bash
# Tests of the list of mutations: checked here because the gate itself runs for hours.

mutations_fit() {
	python3 tests/static/mutation.py --check "$build"
}

mutation_tests() {
	it "every mutation fits one place and names tests that exist" mutations_fit
}
