#!/usr/bin/env bash
# Tests of the README's pictures, which packaging/pictures/record makes. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

pictures() { grep -oE '\]\([^)]*\.svg\)' README.md | tr -d '])('; }

every_picture_is_there() {
	[ "$(pictures | wc -l)" -ge 3 ] || pictures
	pictures | while read -r picture; do
		[ "$(stat -c %s "$picture")" -le 150000 ] || echo "$picture is large"
		python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$picture"
	done
}

# Print the texts of the dashboard's picture.
texts() { sed -nE 's|.*<text [^>]*>(.*)</text>|\1|p' packaging/pictures/dashboard.svg | sort -u; }

every_panel_is_drawn() {
	jq -r '.panels[].title' packaging/prometheus/dashboard.json | sort >"$work/titles"
	[ "$(wc -l <"$work/titles")" -ge 20 ] || echo 'too few panels'
	comm -23 "$work/titles" <(texts)
}

# At least three quarters of the panels must show data.
most_panels_have_data() {
	local empty
	empty=$(grep -c '>No data<' packaging/pictures/dashboard.svg || true)
	[ $((empty * 4)) -le "$(wc -l <"$work/titles")" ] || echo "$empty panels are empty"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
it 'the README shows pictures that are there, and small' every_picture_is_there
it 'the picture of the dashboard names every panel' every_panel_is_drawn
it 'most of its panels show data' most_panels_have_data
tap_end
