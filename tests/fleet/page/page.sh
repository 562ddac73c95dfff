#!/usr/bin/env bash
# Tests of the page of `losslessctl-fleet report --html` in Chromium: its content, clicks and keys,
# and hostile names. Prints TAP. The long run draws 100,000 hosts.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/npm.sh
. tests/lib/npm.sh

here=tests/fleet/page
program=build/losslessctl-fleet
folder=build/fleet/page

# draw NAME: write the page of a database. Exit codes up to 3 only report the fleet's state.
draw() {
	local code=0
	$program report --db "$folder/$1.db" --html "$folder/$1.html" --since 3650d || code=$?
	[ $code -le 3 ]
}

npm_ci $here $folder/npm
$here/make_fleet build 1000 $folder/fleet.db
$here/make_fleet build 40 $folder/small.db
cp $folder/fleet.db $folder/hostile.db
sqlite3 -bail $folder/hostile.db <$here/hostile.sql
$here/make_fleet build 0 $folder/nothing.db
fleets=(fleet small hostile nothing)
if ((${LOSSLESSCTL_TEST_LONG:-0})); then
	$here/make_fleet build 100000 $folder/large.db
	fleets+=(large)
fi
for fleet in "${fleets[@]}"; do
	draw "$fleet"
done
NODE_PATH=$folder/npm/node_modules exec node $here/page.js $folder "${fleets[@]}"
