#!/usr/bin/env fish
# type.fish FILE: what each line of standard input becomes when fish, with the completion in FILE,
# is asked to complete it. There is no program that it could start.
source $argv[1]
set PATH

while read -l line
    set -l found (complete -C $line | string replace -r '\t.*' '')
    test (count $found) -eq 1; and set line (string replace -r '[^ ]*$' '' -- $line)$found
    echo $line
end
