#!/usr/bin/env bash
# Tests of the view files on SQLite, DuckDB and PostgreSQL, unchanged. Each engine gets the rows of
# fleet.sql, and all views are compared with expected.tsv. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/npm.sh
. tests/lib/npm.sh
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/fleet/views/postgres.sh
. tests/fleet/views/postgres.sh

sql=cli/fleet/sql
files=("$sql/tables.sql" "$sql"/views/*.sql tests/fleet/views/fleet.sql)
views=("$sql"/views/*.sql)
views=("${views[@]##*/}")
views=("${views[@]%.sql}")
postgres_format=(--no-align --field-separator=$'\t' --pset=null=NULL --pset=footer=off)
folder=build/fleet/views
PATH=$(realpath "${LOSSLESSCTL_BUILD:-build}"):$PATH

get_duckdb() {
	npm_ci tests/fleet/views $folder/npm
	cp tests/fleet/views/duckdb.js $folder/npm/
}

# queries PREFIX: print a line with the name of each view, and its query.
queries() {
	local view
	for view in "${views[@]}"; do
		printf '%s == %s\nSELECT * FROM %s;\n' "$1" "$view" "$view"
	done
}

in_sqlite() {
	{
		cat "${files[@]}"
		printf '.headers on\n.mode list\n.separator "\\t"\n.nullvalue NULL\n'
		queries .print
	} | sqlite3 -bail :memory:
}

in_duckdb() {
	node $folder/npm/duckdb.js "${views[@]}" -- "${files[@]}"
}

in_postgres() {
	{
		cat "${files[@]}"
		queries '\echo'
	} | postgres_run --dbname=postgres "${postgres_format[@]}"
}

# Rows have no order: sort them below the names of their view and its columns.
sorted() {
	awk '/^== / { view++; line = 0 } { line++; print view "\t" (line < 3 ? line : 3) "\t" $0 }' |
		LC_ALL=C sort -t $'\t' -k 1,1n -k 2,2n -k 3 | cut -f 3-
}

# says_what_is_expected ENGINE: compare the engine's views with expected.tsv.
says_what_is_expected() {
	"in_$1" >$folder/"$1"
	diff tests/fleet/views/expected.tsv <(sorted <$folder/"$1")
}

# documented_columns VIEW: print the columns that the view's file describes, in order.
documented_columns() {
	sed -nE '/^CREATE/q; s/^--   ([a-z][a-z_0-9, ]*)$/\1/p; s/^--   ([a-z][a-z_0-9, ]*[a-z0-9])  .*/\1/p' \
		$sql/views/"$1".sql | sed 's/  .*//; s/, /\n/g'
}

each_column_is_documented() {
	local view
	for view in "${views[@]}"; do
		diff --label "documented of $view" --label "columns of $view" -u <(documented_columns "$view") \
			<(sed -n "/^== $view\$/{n; s/\t/\n/gp}" tests/fleet/views/expected.tsv)
	done
}

# A report copies the view `hosts` to a table, and computes the other views from that table.
a_report_says_the_same() {
	local view db=$folder/fleet.db
	rm -f "$db"*
	losslessctl-fleet ingest --quiet --db "$db" - </dev/null
	sqlite3 -bail "$db" <tests/fleet/views/fleet.sql
	for view in "${views[@]}"; do
		losslessctl-fleet sql --db "$db" --csv "SELECT * FROM $view" | sort >$folder/queried
		{ losslessctl-fleet report --db "$db" --csv "$view" || [ $? -le 3 ]; } | sort |
			diff --label "$view in a query" --label "$view in a report" $folder/queried -
	done
}

# guide LANGUAGE HEADING: print the blocks of code below this heading of packaging/docs/fleet.md.
guide() {
	awk -v heading="### $2" -v begin="\`\`\`$1" '/^##/ { here = $0 == heading } !here { next }
		/^```/ { within = $0 == begin; next } within' packaging/docs/fleet.md
}

# Run the guide's commands, and the second part twice: each time the tables get the newest content.
copies_to_postgres() {
	local commands
	commands=$(guide sh PostgreSQL | sed "s,^sql=.*,sql=$PWD/$sql,")
	(
		export PGHOST=$postgres_directory PGUSER=fleet
		createdb --template=template0 --locale=C.UTF-8 fleet
		cd $folder
		bash -euo pipefail -c "$commands"
		bash -euo pipefail -c "sql=$OLDPWD/$sql; ${commands#*$'\n\n'}"
	) >$folder/said 2>&1 || cat $folder/said
	queries '\echo' | postgres_run --dbname=fleet "${postgres_format[@]}" |
		sorted | diff tests/fleet/views/expected.tsv -
}

# Copy the files that copies_to_postgres made.
copies_to_duckdb() {
	local table
	sed -n 's/^CREATE TABLE \([a-z_]*\) .*/\1/p' $sql/tables.sql | while read -r table; do
		guide sql DuckDB | sed "s,TABLE FROM 'TABLE,$table FROM '$folder/$table,"
	done >$folder/copy.sql
	node $folder/npm/duckdb.js "${views[@]}" -- "$sql/tables.sql" "$sql"/views/*.sql $folder/copy.sql |
		sorted | diff tests/fleet/views/expected.tsv -
}

# cli/meson.build lists the views, as Meson has no pattern for files.
the_program_has_them_all() {
	diff <(sed -n '/^fleet_views = /,/]$/p' cli/meson.build | grep -o "'[a-z_]*'" | tr -d "'") \
		<(printf '%s\n' "${views[@]}")
}

# columns_in_the_guide VIEW: print the columns that packaging/docs/fleet.md lists.
columns_in_the_guide() {
	awk -v begin="- **\`$1\`**:" '/^- / { on = index($0, begin) == 1 } /^$/ { on = 0 } on { text = text " " $0 }
		END { sub(/.*Columns:/, "", text); gsub(/[`,]/, "", text); print text }' packaging/docs/fleet.md |
		xargs -n 1
}

the_guide_lists_each_column() {
	local view
	for view in "${views[@]}"; do
		diff --label "$view in fleet.md" --label "columns of $view" -u <(columns_in_the_guide "$view") \
			<(sed -n "/^== $view\$/{n; s/\t/\n/gp}" tests/fleet/views/expected.tsv)
	done
}

# An empty view would test nothing.
every_view_has_rows() {
	sorted <$folder/sqlite | awk '/^== / { if (view && rows < 2) print view " is empty"; view = $2; rows = -1 }
		{ rows++ } END { if (rows < 2) print view " is empty" }'
}

mkdir -p $folder
trap postgres_stop EXIT
it "DuckDB is there" get_duckdb
it "PostgreSQL starts" postgres_start
it "SQLite says what is expected" says_what_is_expected sqlite
it "DuckDB says the same" says_what_is_expected duckdb
it "PostgreSQL says the same" says_what_is_expected postgres
it "a report says the same as a query" a_report_says_the_same
it "the guide's commands copy the database to PostgreSQL" copies_to_postgres
it "the guide's statement copies it to DuckDB" copies_to_duckdb
it "every view has rows" every_view_has_rows
it "the program has every view, in the order of names" the_program_has_them_all
it "every view's file documents its columns" each_column_is_documented
it "fleet.md lists the columns of every view" the_guide_lists_each_column
tap_end
