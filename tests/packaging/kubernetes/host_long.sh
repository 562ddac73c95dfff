#!/usr/bin/env bash
# Tests of the manifests: they fit the schemas of Kubernetes, the chart equals the base, and wrong
# values are refused. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/packaging/kubernetes/lib.sh
. tests/packaging/kubernetes/lib.sh

chart=$kubernetes/chart

get_tools() {
	get_modules
	get_kubectl
	gofmt -l tests/packaging/kubernetes
	GO111MODULE=off GOPATH=/usr/share/gocode GOFLAGS='' quiet \
		go build -o $folder/render tests/packaging/kubernetes/render.go
}

yaml_is_clean() {
	yamllint --strict --format parsable \
		-d '{extends: default, rules: {document-start: disable, line-length: {max: 100}}}' \
		$kubernetes/base $chart/Chart.yaml $chart/values.yaml
}

strict() {
	node $folder/npm/strict.js
}

# chart_objects: render the chart with values in JSON from standard input.
chart_objects() {
	cat >$folder/values.json
	$folder/render losslessctl losslessctl $chart $folder/values.json 2>$folder/notes
}

the_base_is_known() {
	base_objects >$folder/base.yaml
	strict <$folder/base.yaml
}

# Try misspelt keys and values of wrong types at each depth.
what_is_wrong_is_noticed() {
	local change
	for change in s/hostNetwork:/hostNetwrk:/ s/appArmorProfile:/appArmourProfile:/ \
		s/drop:/dropp:/ s/configMap:/configMaps:/ s/operator:/operater:/ \
		s/maxUnavailable:.*/maxUnavailable:\ [5]/ s/HostToContainer/hostToContainer/ \
		s/readOnlyRootFilesystem:.*/readOnlyRootFilesystem:\ 'yes please'/; do
		sed "$change" $folder/base.yaml >$folder/changed.yaml
		! cmp -s $folder/base.yaml $folder/changed.yaml || echo "it changes nothing: $change"
		[ -n "$(strict <$folder/changed.yaml)" ] || echo "taken: $change"
	done
}

# about_pod FILTER: check that the filter holds for the pod.
about_pod() {
	base_objects | to_json | jq -r --arg what "$1" '.[] | select(.kind == "DaemonSet")
		| .spec.template.spec | select('"$1"' | not) | "not so: \($what)"'
}

# verify waits up to 35 s for the switch.
it_is_ready_in_time() {
	about_pod '.containers[0].readinessProbe | .timeoutSeconds > 35 and .periodSeconds > .timeoutSeconds'
}

few_rights_are_asked_for() {
	about_pod '.hostPID or .hostIPC | not'
	about_pod '.hostNetwork and .hostUsers != false'
	about_pod '.automountServiceAccountToken == false'
	about_pod 'all(.containers[].securityContext; .privileged | not)'
	about_pod 'all(.containers[].securityContext; .allowPrivilegeEscalation == false)'
	about_pod 'all(.containers[].securityContext; .readOnlyRootFilesystem)'
	about_pod 'all(.containers[].securityContext; .capabilities.drop == ["ALL"])'
	about_pod '[.containers[].securityContext.capabilities.add] == [["NET_ADMIN"]]'
	about_pod '.securityContext.seccompProfile.type == "RuntimeDefault"'
	about_pod '[.securityContext, .containers[].securityContext | .appArmorProfile.type] == [null, "Unconfined"]'
	about_pod 'all(.volumes[].hostPath.path; . == null or (IN("/", "/sys", "/proc", "/dev", "/etc") | not))'
}

# Remove the additions of Helm and kustomize: labels, annotations, a hash in a name.
same_for_both() {
	jq -S 'map(select(.kind != "Namespace")
		| del(.metadata.namespace, .metadata.labels["app.kubernetes.io/managed-by"],
			.metadata.labels["helm.sh/chart"])
		| walk(if type == "string" then sub("^(?<it>losslessctl-policy)-[a-z0-9]{10}$"; .it)
			else . end)
		| if .kind == "DaemonSet" then del(.spec.template.spec.containers[].imagePullPolicy) else . end
		| if .kind == "ConfigMap" then del(.metadata.labels, .metadata.annotations, .immutable) else . end
		| (.data["policy.json"] // empty) |= fromjson)
		| sort_by(.kind + .metadata.name)'
}

the_chart_is_the_base() {
	chart_objects <<<'{}' >$folder/chart.yaml
	strict <$folder/chart.yaml
	[ "$(to_json <$folder/chart.yaml | jq length)" -eq 3 ] || echo 'there are not three objects'
	diff <(base_objects | to_json | same_for_both) <(to_json <$folder/chart.yaml | same_for_both)
}

# chart_says VALUES FILTER: render the chart; check its objects, and that the filter holds for them.
chart_says() {
	chart_objects <<<"$1" >$folder/changed.yaml
	strict <$folder/changed.yaml
	to_json <$folder/changed.yaml | jq -r --arg values "$1" \
		'select('"$2"' | not) | "not so with \($values)"'
}

values_are_followed() {
	local pod='(.[] | select(.kind == "DaemonSet") | .spec.template.spec)'
	chart_says '{"image":{"repository":"registry.example.com/losslessctl","tag":"7"},
		"imagePullSecrets":[{"name":"key"}]}' \
		"$pod"' | .containers[0].image == "registry.example.com/losslessctl:7"
			and .imagePullSecrets == [{name: "key"}]'
	chart_says '{"nfd":{"enabled":false}}' \
		"$pod"' as $pod | all($pod.volumes[].name; . != "features")
			and $pod.containers[0].args == ["agent", "--trust-read-only-mount"]'
	chart_says '{"image":{"digest":"sha256:'"$(printf '%064d' 7)"'"}}' \
		"$pod"' | .containers[0].image == "losslessctl@sha256:'"$(printf '%064d' 7)"'"'
	chart_says '{"maxUnavailable":3}' \
		'any(.[]; .spec.updateStrategy.rollingUpdate.maxUnavailable == 3)'
	chart_says '{"priorityClassName":"","tolerations":[],"nodeSelector":
		{"feature.node.kubernetes.io/pci-15b3.present":null,"role":"gpu"}}' \
		"$pod"' | has("priorityClassName") or has("tolerations") | not'
	chart_says '{"policy":{"mode":"enforce","profiles":{"roce":{"mtu":4200,"when":
		[{"speed_mbps":">=200000","set":{"mtu":9000}}]}}}}' \
		'.[] | select(.metadata.name == "losslessctl-policy") | .data["policy.json"] | fromjson
			| .mode == "enforce" and .profiles.roce.mtu == 4200
				and .profiles.roce.when[0].speed_mbps == ">=200000"'
	grep -q 'mode is "enforce"' $folder/notes || echo 'the notes do not say that it writes'
}

# policy_names VALUES: the name of the ConfigMap, and the one that the pods have.
policy_names() {
	chart_objects <<<"$1" | to_json | jq -r '.[] | select(.kind == "ConfigMap").metadata.name,
		(select(.kind == "DaemonSet").spec.template.spec.volumes[].configMap.name // empty)' | sort -u
}

# Pods that run keep the policy that they have: another one is another ConfigMap.
another_policy_is_a_rollout() {
	[ "$(policy_names '{}' | wc -l)" -eq 1 ] || echo 'the pods have another policy'
	[ "$(policy_names '{}')" = "$(policy_names '{"maxUnavailable":2}')" ] || echo 'one without'
	[ "$(policy_names '{}')" != "$(policy_names '{"policy":{"mode":"enforce"}}')" ] || echo 'none with'
}

the_chart_s_policy_is_sound() {
	chart_objects <<<'{}' | to_json | jq -r '.[].data["policy.json"] // empty' >$folder/policy.json
	"${LOSSLESSCTL_BUILD:-build}/losslessctl" check $folder/policy.json >/dev/null
}

# values_are CODE VALUES: check that the chart's schema accepts (0) or refuses (1) the values.
values_are() {
	local code=0
	to_json <$chart/values.yaml | jq --argjson more "$2" '.[0] * $more' |
		node $folder/npm/values.js $chart/values.schema.json >$folder/said 2>&1 || code=$?
	[ $code -eq "$1" ] || { echo "exit code $code with $2" && tail -n 3 $folder/said; }
}

wrong_values_are_refused() {
	local wrong
	values_are 0 '{}'
	values_are 0 '{"maxUnavailable":3,"global":{},"image":{"tag":"7"},"policy":{"comment":"x"}}'
	for wrong in '{"imag":{}}' '{"image":{"repo":"x"}}' '{"image":{"repository":""}}' \
		'{"image":{"pullPolicy":"Sometimes"}}' '{"image":"x"}' '{"imagePullSecrets":["x"]}' \
		'{"policy":null}' '{"policy":"{}"}' '{"policy":{"version":2}}' '{"policy":{"mode":"on"}}' \
		'{"maxUnavailable":0}' '{"maxUnavailable":"0%"}' '{"maxUnavailable":"101%"}' \
		'{"nodeSelector":{"a":true}}' '{"tolerations":[{"operater":"Exists"}]}' \
		'{"resources":{"limit":{}}}' '{"nfd":{"enabled":"yes"}}' '{"nfd":{"image":""}}' \
		'{"image":{"digest":"sha256:7"}}'; do
		values_are 1 "$wrong"
	done
}

it "what the tests need is there" get_tools
it "yamllint finds nothing" yaml_is_clean
it "the base has only what Kubernetes knows, of the right types" the_base_is_known
it "what is misspelled, or of another type, is noticed" what_is_wrong_is_noticed
it "NET_ADMIN is asked for and nothing else" few_rights_are_asked_for
it "verify has the time that it needs for the switch" it_is_ready_in_time
it "the chart with its own values is the base" the_chart_is_the_base
it "the chart follows its values" values_are_followed
it "another policy is a rollout, and nothing else is one" another_policy_is_a_rollout
it "the chart's policy is sound" the_chart_s_policy_is_sound
it "wrong values are refused" wrong_values_are_refused
tap_end
