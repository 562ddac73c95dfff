# shellcheck shell=bash
# Scripts in the places of programs that the guest lacks. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets work

# programs_can_be_added DIRECTORY: /usr is read-only, so a directory of links to its programs lies over
# this one; scripts can be written into it.
programs_can_be_added() {
	local links=$work/${1##*/}
	chmod 755 "$work"
	mkdir "$links" "$work/real"
	mount --bind "$1" "$work/real"
	ln -s "$work"/real/* "$links/"
	mount --bind "$links" "$1"
}
