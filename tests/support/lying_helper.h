/* A helper process that answers a question as agent/host/helper_line.h says, or otherwise. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LYING_HELPER_H
#define LOSSLESSCTL_TESTS_SUPPORT_LYING_HELPER_H

#include "agent/host/helper_line.h"

enum lie {
	HONEST,
	OF_AN_EARLIER_QUESTION,
	ABOUT_ANOTHER_TEXT,
	OF_ANOTHER_TASK,
	TOO_LONG,
	TOO_SHORT,
	HALF,
	ENDS,
	SILENT
};

/* Starts it; it answers each question `after_ms` later. The caller owns the line's end. */
int lying_helper_start(enum lie lie, const struct helper_answer *a, unsigned after_ms);

/* Closes the line and waits for the helper's end. */
void lying_helper_end(int line);

#endif
