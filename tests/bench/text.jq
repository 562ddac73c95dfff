# Turn the report in JSON into tables: tabs separate cells, empty lines separate tables.
def cell: if . == null then "" else tostring end;
def table(head; rows): if (rows | length) == 0 then empty else "", ((head, rows[]) | map(cell) | @tsv) end;
def verdict: if . == null then "not measured" elif . then "met" else "NOT MET" end;

# Order the rows as a reader looks for them.
def order: ["true", "floor.one", "floor.all", "version", "show.one", "show.all", "verify.all", "plan.all",
	"apply.nothing", "apply.everything", "tools.one", "tools.all", "mlnx_qos.one"] as $known |
	sort_by(.name | ltrimstr("beside.") as $l | [($known | index($l)), .]);

"\(.ports) ports, \(.rounds) rounds, \(.date)",
table(["", "median ms", "÷ true", "÷ floor", "least ms"];
	.times | order | map([.name, .median_ms, .per_true, .per_floor, .least_ms])),
table(["", "", "1 port", "8", "32", "120", "each further", "fixed", "residual"];
	.sizes | map([.name, .unit] + ([1, 8, 32, 120] as $at | .points as $points |
		$at | map(. as $n | $points | map(select(.ports == $n).value) | .[0])) + [.further, .fixed, .residual])),
(["show.all", "verify.all", "plan.all", "apply.nothing"] as $verbs |
	table(["driver calls of one port"] + $verbs; .driver_calls | group_by(.operation) |
		map(. as $calls | [.[0].operation] + [$verbs[] as $verb | $calls | map(select(.name == $verb).calls) | .[0]]))),
table(["agent", "ports", "", ""]; .agent | map([.name, .ports, .unit, .value])),
if .drift then "", "drift reported after: median \(.drift.median_ms) ms, 95 of 100 within \(.drift.p95_ms) ms, " +
	"at most \(.drift.most_ms) ms, of \(.drift.count)" else empty end,
table(["bar", "", "medians", "least times", ""];
	.bars | map([.what, "\(if .relation == "<=" then "≤" else "≥" end) \(.bar)", .value, .least, (.met | verdict)]))
