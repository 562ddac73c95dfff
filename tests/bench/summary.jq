# Turn lines "PART LABEL PORTS UNIT VALUE" into the report in JSON.
#   jq -R -s --rawfile bars tests/bench/bars.tsv --arg date … --argjson ports N --argjson rounds N

def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
def percentile(p): sort | .[(length * p / 100 | ceil) - 1];
def rounded(n): if . == null then null else . * n | round / n end;

# The straight line through points {ports, value}: the cost of each further port, the fixed cost,
# and the distance of the farthest point.
def line:
	(map(.ports) | add / length) as $x | (map(.value) | add / length) as $y |
	(map((.ports - $x) * (.value - $y)) | add) as $covariance |
	(map((.ports - $x) | . * .) | add) as $variance |
	if $variance == 0 then null else
		($covariance / $variance) as $slope |
		{further: $slope, fixed: ($y - $slope * $x),
			residual: (map(.value - $y - $slope * (.ports - $x) | fabs) | max)}
	end;

def rows: [split("\n")[] | select(. != "") | split("\t") |
	{part: .[0], name: .[1], ports: (.[2] | tonumber), unit: .[3], value: (.[4] | tonumber)}];

# Medians of the repeated measurements.
def medians: group_by([.part, .name, .unit, .ports]) |
	map(.[0] + {value: (map(.value) | median), least: (map(.value) | min), runs: length});

# Registers are counted again by name, with ":read".
def driver_reads:
	map(select(.name == "verify.all" and (.unit | test("^driver\\.[A-Z_]+$")))) |
	group_by(.ports) | map(map(.value) | add) | max;

def parts(which): map(select(.part == which));
def ms(which): map(select(.name == which and .unit == "us")) | if . == [] then null else .[0].value / 1000 end;
def quotient(a; b): if a == null or b == null or b == 0 then null else a / b end;
def difference(a; b): if a == null or b == null then null else a - b end;

# The figures that the bars judge.
def figures(drifts): {
	show_floor_one: (parts("times") | quotient(ms("show.one"); ms("floor.one"))),
	show_floor_further: (parts("times") |
		quotient(difference(ms("show.all"); ms("show.one")); difference(ms("floor.all"); ms("floor.one")))),
	verify_show_all: (parts("times") | quotient(ms("verify.all"); ms("show.all"))),
	tools_show_one: (parts("times") | quotient(ms("tools.one"); ms("show.one"))),
	tools_show_all: (parts("times") | quotient(ms("tools.all"); ms("show.all"))),
	version_true: (parts("times") | quotient(ms("version"); ms("true"))),
	verify_calls_further: (parts("sizes") | map(select(.name == "verify.all" and .unit == "calls")) |
		if length < 2 then null else line.further end),
	driver_reads: (parts("sizes") | driver_reads),
	agent_peak_mib: (parts("agent") | map(select(.ports == 64 and .unit == "peak_kb") | .value) | max |
		if . == null then null else . / 1024 end),
	agent_own_allocations: (parts("agent") |
		map(select(.name == "sample" and .unit == "own_allocations") | .value) | max),
	drift_ms: (if drifts == [] then null else (drifts | percentile(95)) end)
};

# `least` has the figures from the least times, which other programs of the machine disturbed least.
def judged($figures; $least): $bars | [split("\n")[] | select(. != "") | split("\t") |
	{what: .[0], figure: .[1], relation: .[2], bar: (.[3] | tonumber), value: $figures[.[1]],
		least: $least[.[1]]} |
	.met = (if .value == null then null
		elif .relation == "<=" then .value <= .bar else .value >= .bar end) |
	.value |= rounded(100) | .least |= rounded(100)];

def times: parts("times") | ms("true") as $true | ms("floor.one") as $one | ms("floor.all") as $all |
	map({name, runs, median_ms: (.value / 1000 | rounded(10)), least_ms: (.least / 1000 | rounded(10)),
		per_true: (.value / 1000 / $true | rounded(100)),
		per_floor: (if .name | test("true|version") then null
			else quotient(.value / 1000; if .name | endswith(".one") then $one else $all end) end |
			rounded(100))});

# Guests of several sizes run one after another, not in turns, so use the least time: other programs
# of the machine disturbed it least.
def in_ms: if .unit == "us" then .unit = "ms" | .value = (.least / 1000 | rounded(10)) else . end;

def sizes: parts("sizes") | map(select(.unit | startswith("driver.") | not) | in_ms) | group_by([.name, .unit]) |
	map({name: .[0].name, unit: .[0].unit, points: (sort_by(.ports) | map({ports, value}))} +
		(line // {} | map_values(rounded(100))));

def driver: parts("sizes") | map(select((.unit | startswith("driver.")) and .ports == 8)) |
	map({name, operation: (.unit | ltrimstr("driver.")), calls: .value});

def drift(values): if values == [] then null else values |
	{count: length, median_ms: (median | rounded(10)), p95_ms: (percentile(95) | rounded(10)),
		most_ms: (max | rounded(10)), ms: map(rounded(10))} end;

rows as $rows |
[$rows[] | select(.name == "drift") | .value / 1000] as $drifts |
($rows | map(select(.name != "drift")) | medians) as $medians |
{date: $date, ports: $ports, rounds: $rounds,
	times: ($medians | times), sizes: ($medians | sizes), driver_calls: ($medians | driver),
	agent: ($medians | parts("agent") | map({name, ports, unit, value: (.value | rounded(10))})), drift: drift($drifts),
	bars: (($medians | map(if .unit == "us" then .value = .least else . end)) as $least |
		$medians | judged(figures($drifts); $least | figures($drifts)))}
