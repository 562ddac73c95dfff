/* Harmful text: the bytes, and how they are spelled out. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_HARMS_H
#define LOSSLESSCTL_TESTS_SUPPORT_HARMS_H

static const struct harm_row {
	const char *sentence, *bytes, *spelled;
} harms[] = {
	{ "an escape is spelled out", "\033", "\\x1b" },
	{ "a bell is spelled out", "\a", "\\x07" },
	{ "a newline is spelled out", "\n", "\\x0a" },
	{ "a carriage return is spelled out", "\r", "\\x0d" },
	{ "a tab is spelled out", "\t", "\\x09" },
	{ "a backspace is spelled out", "\b", "\\x08" },
	{ "the first control character is spelled out", "\x01", "\\x01" },
	{ "the last control character is spelled out", "\x1f", "\\x1f" },
	{ "DEL is spelled out", "\x7f", "\\x7f" },
	{ "the first of C1 is spelled out", "\xc2\x80", "\\xc2\\x80" },
	{ "CSI of one character is spelled out", "\xc2\x9b", "\\xc2\\x9b" },
	{ "the last of C1 is spelled out", "\xc2\x9f", "\\xc2\\x9f" },
	{ "CSI of one byte is spelled out", "\x9b", "\\x9b" },
	{ "a byte that is no UTF-8 is spelled out", "\xff", "\\xff" },
	{ "a character that is cut short is spelled out", "\xe2\x80", "\\xe2\\x80" },
	{ "an escape in two bytes is spelled out", "\xc0\x9b", "\\xc0\\x9b" },
	{ "an escape in three bytes is spelled out", "\xe0\x80\x9b", "\\xe0\\x80\\x9b" },
	{ "half a surrogate pair is spelled out", "\xed\xa0\x80", "\\xed\\xa0\\x80" },
	{ "a number beyond Unicode is spelled out", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	{ "an Arabic letter mark is spelled out", "\xd8\x9c", "\\xd8\\x9c" },
	{ "a left-to-right mark is spelled out", "\xe2\x80\x8e", "\\xe2\\x80\\x8e" },
	{ "a right-to-left mark is spelled out", "\xe2\x80\x8f", "\\xe2\\x80\\x8f" },
	{ "a line separator is spelled out", "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
	{ "a paragraph separator is spelled out", "\xe2\x80\xa9", "\\xe2\\x80\\xa9" },
	{ "the first embedding is spelled out", "\xe2\x80\xaa", "\\xe2\\x80\\xaa" },
	{ "a right-to-left override is spelled out", "\xe2\x80\xae", "\\xe2\\x80\\xae" },
	{ "the first isolate is spelled out", "\xe2\x81\xa6", "\\xe2\\x81\\xa6" },
	{ "the end of an isolate is spelled out", "\xe2\x81\xa9", "\\xe2\\x81\\xa9" },
};

#endif
