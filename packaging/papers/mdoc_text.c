#include "mdoc_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PROGRAM "losslessctl "

/* Letters that roff would not print as they are. */
static const struct escape {
	char letter;
	const char *as;
} escapes[] = { { '\\', "\\e" },  { '"', "\\(dq" }, { '\'', "\\(aq" },
		{ '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" } };

void mdoc_letter(char c)
{
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
		if (escapes[i].letter == c) {
			fputs(escapes[i].as, stdout);
			return;
		}
	putchar(c);
}

/* "* and ? match" is one sentence. */
static bool ends_sentence(const char *text, const char *at)
{
	return at - text > 1 && strchr(".!?", at[-1]) && at[-2] != ' ' &&
	       (*at == ' ' || *at == '\n') && at[1];
}

/* Literals stay as they are: "roce.tos says ...", "auto, always or never", "losslessctl apply". */
static bool begins_with_a_word(const char *text)
{
	return strchr(" ;:", text[strspn(text, "abcdefghijklmnopqrstuvwxyz-")]) &&
	       strncmp(text, PROGRAM, strlen(PROGRAM)) != 0;
}

void mdoc_sentences(const char *text)
{
	bool capital = begins_with_a_word(text);

	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (const char *at = text; *at; at++) {
		if (ends_sentence(text, at))
			putchar('\n');
		else if (*at == '\n')
			putchar(' ');
		else
			mdoc_letter(capital && at == text ? (char)toupper(*at) : *at);
	}
	puts(strchr(".!?", text[strlen(text) - 1]) ? "" : ".");
}

void mdoc_argument(const char *text)
{
	fputs(" \"", stdout);
	while (*text)
		mdoc_letter(*text++);
	putchar('"');
}
