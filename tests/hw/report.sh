# shellcheck shell=bash
# The report of each fact, and the summary at the end. To be sourced.

declare -A told=([as_expected]=0 [differs]=0 [cannot_be_told]=0)
untried=0
verdict=0

# json_object KEY VALUE...: print an object on one line.
json_object() {
	local text line=
	while [ $# -gt 0 ]; do
		text=${2//\\/\\\\}
		text=${text//\"/\\\"}
		line+=",\"$1\":\"${text//[[:cntrl:]]/ }\""
		shift 2
	done
	echo "{${line#,}}"
}

# report_fact NAME KIND SECTION SENTENCE OUTCOME SAID REMARK
report_fact() {
	local name=$1 kind=$2 section=$3 sentence=$4 outcome=$5 said=$6 remark=$7
	told[$outcome]=$((told[$outcome] + 1))
	if [ $json = yes ]; then
		json_object fact "$name" kind "$kind" section "$section" sentence "$sentence" \
			outcome "$outcome" says "$said" remark "$remark"
		return
	fi
	[ "$section" = - ] || sentence+=" ($section)"
	printf '%-15s %-17s %s%s\n' "${outcome//_/ }" "$name" "$sentence" "${remark:+; $remark}"
	[ -z "$said" ] || printf '%34s%s\n' '' "${said//$'\n'/$'\n                                  '}"
}

report_end() {
	[ "${told[cannot_be_told]}" -eq 0 ] || verdict=3
	[ "${told[differs]}" -eq 0 ] || verdict=2
	if [ $json = yes ]; then
		json_object port "$port" as_expected "${told[as_expected]}" differs "${told[differs]}" \
			cannot_be_told "${told[cannot_be_told]}" untried $untried put_back "$write"
		return
	fi
	printf '\n%s: %d as expected, %d differ, %d cannot be told, %d not tried\n' "$port" \
		"${told[as_expected]}" "${told[differs]}" "${told[cannot_be_told]}" $untried
	[ $write = no ] || echo "$port is as it was: read back, word for word"
}
