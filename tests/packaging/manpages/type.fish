#!/usr/bin/env fish
# type.fish FILE: print each line of standard input as fish completes it, with the completion in
# FILE. PATH is empty, so that the completion starts no program.
source $argv[1]
set PATH

while read -l line
    set -l found (complete -C $line | string replace -r '\t.*' '')
    test (count $found) -eq 1; and set line (string replace -r '[^ ]*$' '' -- $line)$found
    echo $line
end
