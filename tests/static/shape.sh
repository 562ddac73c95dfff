# shellcheck shell=bash
# Tests of the form of functions, files and lines.

# functions FILE…: print "lines file:line name signature", tab-separated.
functions() {
	ctags -o - --languages=C --kinds-C=f --fields=neS --sort=no "$@" | awk -F'\t' -v OFS='\t' '
		!/^!_TAG/ {
			line = end = 0; signature = ""
			for (i = 4; i <= NF; i++) {
				if ($i ~ /^line:/) line = substr($i, 6)
				if ($i ~ /^end:/) end = substr($i, 5)
				if ($i ~ /^signature:/) signature = substr($i, 11)
			}
			print end - line + 1, $2 ":" line, $1, signature
		}'
}

# Measure the nesting of control statements by their indents, which clang-format sets.
none_deeper() {
	awk -v most="$1" '
		FNR == 1 || /^}/ { depth = 0 }
		match($0, /^\t+(} )?(if|else|for|while|do|switch|json_[a-z]+_foreach)[ ({]/) {
			indent = match($0, /[^\t]/)
			while (depth && at[depth] >= indent) depth--
			at[++depth] = indent
			if (depth > most) print FILENAME ":" FNR ": nested " depth " deep"
		}' "${@:2}"
}

# Count parameters by commas, without those in the parameters of a function pointer.
few_parameters() {
	functions "$@" | awk -F'\t' '{
		gsub(/\)\([^()]*\)/, ")", $4)
		n = split($4, parameter, ",")
		for (i = 1; i <= n; i++)
			if (parameter[i] ~ /^\(?struct err \* ?[a-z]+/) n = i - 1
		if (n > 5)
			print $2 ": " $3 " has " n " parameters before err"
	}'
}

# Only a format and its arguments may follow err. Functions about err itself take it first.
err_is_last() {
	functions "$@" | awk -F'\t' '$4 ~ /,struct err \*/ &&
		$4 !~ /struct err \* ?[a-z]+(\)|, ?const char \* ?fmt)/ { print $2 ": " $3 $4 }'
}

# A character of several bytes counts once, by its first byte.
short_lines() {
	LC_ALL=C awk '{
		gsub(/[\200-\277]/, "")
		columns = 0
		parts = split($0, part, "\t")
		for (i = 1; i < parts; i++)
			columns += length(part[i]) + 8 - (columns + length(part[i])) % 8
		if (columns + length(part[parts]) > 100)
			print FILENAME ":" FNR " is longer than 100"
	}' "$@"
}

clean_lines() {
	found grep -nE '[[:space:]]$' "$@"
	found grep -nP '\r' "$@"
}

no_promises() {
	found grep -nwE 'TODO|FIXME|XXX|HACK' "$@"
}

formatted() {
	clang-format --dry-run "$@" 2>&1 | awk -F: '/warning:/ { places[$1]++ }
		END { for (file in places) print file ": clang-format would change " places[file] " places" }'
}

# Find declarations at the left margin without a comment since the last blank line. No comment is
# necessary for a function that only frees, for the cleanup attribute in the next line.
declared_with_a_comment() {
	awk 'function tell() { if (bare) print bare; bare = "" }
		/^#define _[a-z_]+_ __attribute__\(\(cleanup\(/ { bare = "" }
		{ tell() }
		FNR == 1 || /^$/ { commented = 0 }
		/\/\*/ { commented = 1 }
		/^[a-z].*\(/ && !/^(static|typedef)/ && !commented { bare = FILENAME ":" FNR ": " $0 }
		END { tell() }' "$@"
}

opens_with_a_sentence() {
	awk '
		FNR == 1 && !/^\/\*/ { print FILENAME " does not open with a sentence" }
		FNR == 1 { guard = toupper(FILENAME); gsub(/[\/.]/, "_", guard); guards["LOSSLESSCTL_" guard] = FILENAME }
		/^#ifndef / { delete guards[$2] }
		END { for (guard in guards) print guards[guard] " is not guarded by " guard }' "$@"
}

shape_tests() {
	it "nothing is nested more than 3 deep" none_deeper 3 "${rooms[@]}" "${tests[@]}"
	it "no function has more than 5 parameters before err" few_parameters "${rooms[@]}"
	it "err is the last parameter" err_is_last "${rooms[@]}"
	it "no line is longer than 100 columns" short_lines "${rooms[@]}" "${tests[@]}"
	it "no line ends in a blank" clean_lines "${rooms[@]}" "${tests[@]}"
	it "no comment promises" no_promises "${rooms[@]}" "${tests[@]}"
	it "the code is as clang-format would have it" formatted "${rooms[@]}" "${tests[@]}"
	it "every function of a header has a comment" declared_with_a_comment "${headers[@]}"
	it "every header is guarded and opens with a sentence" opens_with_a_sentence "${headers[@]}"
}
