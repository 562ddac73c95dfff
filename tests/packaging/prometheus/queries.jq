# Print each query of a Grafana dashboard as "ROW: PANEL<tab>QUERY", with its variables filled in.
def filled:
	gsub("\\$__rate_interval"; "5m") | gsub("\\$(cluster|host|port)"; ".*");

(.templating.list[] | "Variables: " + .name + "\t" +
	(.query.query | capture("^label_values\\((?<of>.*), [a-z]+\\)$").of | filled)),
(foreach .panels[] as $panel ({};
	if $panel.type == "row" then {row: $panel.title, queries: []}
	else .queries = [$panel.targets[].expr | filled] | .title = $panel.title end;
	. as $at | .queries[] | $at.row + ": " + $at.title + "\t" + .))
