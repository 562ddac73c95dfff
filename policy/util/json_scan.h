/* Finds the first place where a text stops being JSON: jansson names a token, not the mistake. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_SCAN_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_SCAN_H

#include <stddef.h>

/* The tokens that the grammar accepts next. */
enum json_expects {
	EXPECTS_DOCUMENT = 1,
	EXPECTS_FIRST_KEY = 2, /* after {: a key or } */
	EXPECTS_KEY = 4,       /* after a comma in an object */
	EXPECTS_COLON = 8,
	EXPECTS_VALUE = 16,
	EXPECTS_FIRST_ITEM = 32, /* after [: a value or ] */
	EXPECTS_ITEM = 64,	 /* after a comma in a list */
	EXPECTS_NEXT_KEY = 128,	 /* after a value in an object: a comma or } */
	EXPECTS_NEXT_ITEM = 256, /* after a value in a list: a comma or ] */
	EXPECTS_END = 512,	 /* after the document */
};

enum json_token {
	TOKEN_END = 1, /* the text ends */
	TOKEN_STRING = 2,
	TOKEN_SCALAR = 4,	/* a number, true, false or null */
	TOKEN_WORD = 8,		/* a word that JSON does not have */
	TOKEN_OPEN = 16,	/* { or [ */
	TOKEN_CLOSE = 32,	/* } or ] of the innermost { or [ */
	TOKEN_CLOSE_OTHER = 64, /* ] for { or } for [, or one too many */
	TOKEN_COMMA = 128,
	TOKEN_COLON = 256,
	TOKEN_COMMENT = 512,   /* a comment of JavaScript, C or the shell */
	TOKEN_QUOTE = 1024,    /* a quotation mark other than " */
	TOKEN_UNCLOSED = 2048, /* a string without its closing quotation mark */
	TOKEN_OTHER = 4096,
};

/* Positions are borrowed from the text. */
struct json_scan {
	enum json_expects expects;
	enum json_token token;	 /* the first that is not accepted; TOKEN_END: there is none */
	const char *at;		 /* its first byte */
	const char *after;	 /* behind the last token before it */
	const char *opened;	 /* the innermost unclosed { or [; NULL: none */
	const char *last_string; /* the last one that begins before `limit`; NULL: none */
};

/* `limit` is a position that another parser complained of; the scan itself does not end there. */
struct json_scan json_scan(const char *text, size_t size, size_t limit);

/* The text without blanks and comments at its start. */
const char *json_skip_comments(const char *text, size_t size);

#endif
