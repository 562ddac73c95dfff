# shellcheck shell=bash
# Scripts in place of programs that the guest lacks. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets work

# programs_can_be_added DIRECTORY: mount a writable directory of links to its programs over
# DIRECTORY, as /usr is read-only.
programs_can_be_added() {
	local links=$work/${1##*/}
	chmod 755 "$work"
	mkdir "$links" "$work/real"
	mount --bind "$1" "$work/real"
	ln -s "$work"/real/* "$links/"
	mount --bind "$links" "$1"
}
