# shellcheck shell=bash
# Tests of the tables tests/system/scenes and tests/system/verdicts: a symptom and a verdict of probe that
# nothing real leads to is not tested.

symptoms_of_product() { sed -nE 's/^\t\{ "([a-z-]+)", SEVERITY_.*/\1/p' agent/monitor/symptom.c; }
# Some verdicts share their name.
verdicts_of_product() {
	sed -nE 's/^\t\[PROBE_[A-Z_]+\] = \{ "([a-z_]+)",.*/\1/p' agent/engine/probe/probe_verdict.c |
		sort -u
}

# parts TABLE: print "NAME scene", "NAME neighbour" for each part with commands or a result. A neighbour
# beside a scene may need none: it is the other end of the same traffic.
parts() {
	awk '/^[a-z]/ { name = $1 }
		$1 ~ /^(scene|neighbour)$/ { part = $1 }
		$1 == "beside" { print name, "neighbour" }
		$1 ~ /^(before|between|meanwhile|finds)$/ && part { print name, part; part = "" }' "$1" | sort -u
}

# lacking TABLE PART NAMES: print the names without this part, and those of the table that are not the
# product's.
lacking() {
	comm -13 <(parts "$1" | sed -n "s/ $2\$//p") <(sort <<<"$3") | sed "s|\$| has no $2 in $1|"
	comm -23 <(parts "$1" | sed 's/ .*//' | sort -u) <(sort <<<"$3") | sed "s|\$| of $1 is not the product's|"
}

every_symptom_is_raised() {
	local names
	names=$(symptoms_of_product)
	[ "$(wc -l <<<"$names")" -ge 17 ] || echo "only these symptoms were found: $names"
	lacking tests/system/scenes scene "$names"
	lacking tests/system/scenes neighbour "$names"
}

every_verdict_is_reached() {
	local names script
	names=$(verdicts_of_product)
	[ "$(wc -l <<<"$names")" -ge 10 ] || echo "only these verdicts were found: $names"
	lacking tests/system/verdicts scene "$names"
	for script in $(sed -n 's/^\tin  *//p' tests/system/verdicts | sort -u) probe; do
		grep -qx "play_verdicts" "tests/system/$script.sh" || echo "tests/system/$script.sh plays none"
	done
}

# A scene must lead to the verdict above it.
verdicts_are_found() {
	awk '/^[a-z]/ { name = $1 }
		$1 == "scene" { if (scene && !found) print scene; scene = name ": " $0; found = 0 }
		$1 ~ /^(finds|prints)$/ && index($0 " ", name " ") { found = 1 }
		END { if (scene && !found) print scene }' tests/system/verdicts
}

# The comment at the top of a table describes its keys. Another one would be ignored.
keys_are_described() {
	awk '/^#   [a-z]/ { described[FILENAME, $2]; next }
		/^\t/ && !((FILENAME, $1) in described) { print FILENAME ":" FNR ": nothing describes " $1 }' \
		tests/system/{scenes,verdicts}
}

# The tests above must notice a symptom and a verdict that are new, and a part that goes.
missing_scenes_are_noticed() {
	local copy
	copy=$(mktemp -d)
	cp --parents agent/monitor/symptom.c agent/engine/probe/probe_verdict.c \
		tests/system/{scenes,verdicts,probe.sh,probe_counts.sh} "$copy"
	sed -i 's/{ "cnp-ignored", SEV/{ "cnp-lost", SEV/' "$copy/agent/monitor/symptom.c"
	sed -i '/^\tneighbour  *FEC corrects/,+1d' "$copy/tests/system/scenes"
	sed -i 's/{ "lost", /{ "stolen", /' "$copy/agent/engine/probe/probe_verdict.c"
	diff <(printf '%s\n' 'cnp-ignored of' 'cnp-ignored of' 'cnp-lost has no neighbour' 'cnp-lost has no scene' \
		'lost of' 'rx-link-errors has no neighbour' 'stolen has no scene') \
		<(cd "$copy" && { every_symptom_is_raised && every_verdict_is_reached; } |
			grep -oE '^[a-z-]+ (has no [a-z]+|of)' | sort)
	rm -rf "$copy"
}

scenes_tests() {
	it "every symptom has a scene that raises it and a neighbour that does not" every_symptom_is_raised
	it "every verdict of probe has a scene" every_verdict_is_reached
	it "a scene of a verdict finds that verdict" verdicts_are_found
	it "a key of a scene is described in its table" keys_are_described
	it "a symptom or a verdict without a scene is noticed" missing_scenes_are_noticed
}
