#!/usr/bin/env zsh
# type.zsh FOLDER: type each line of standard input in a real zsh that has completion from FOLDER,
# press Tab, and print the completed line. The path is empty: the completion can start no program.
emulate -L zsh
zmodload zsh/zpty

# Print the line between marks, and clear it.
say='say() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N say; bindkey "^G" say'

zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "PROMPT= RPROMPT= fpath=(${(q)1} \$fpath); unsetopt zle_bracketed_paste beep
autoload -Uz compinit && compinit -D -u && $say && path=() && print ready''now"
zpty -r shell seen '*readynow*' || exit 1

while IFS= read -r line; do
	zpty -w -n shell "$line"$'\t\a'
	zpty -r shell seen '*<<*>>*' || exit 1
	seen=${seen##*<<}
	print -r -- "${seen%>>*}"
done
zpty -d shell
