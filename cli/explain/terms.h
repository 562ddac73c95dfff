/* The terms of the glossary (packaging/docs/glossary.md), for `explain`. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_TERMS_H
#define LOSSLESSCTL_CLI_EXPLAIN_TERMS_H

#include <stddef.h>

struct term {
	const char *name, *says;
};

extern const struct term terms[];
extern const size_t terms_count;

#endif
