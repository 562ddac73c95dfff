/* Tests of returning memory to the kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

/* Return the size in kB from a line of /proc/self/status. */
static long status_kb(const char *line)
{
	FILE *f = fopen("/proc/self/status", "re");
	char text[256];
	long kb = -1;

	assert_non_null(f);
	while (kb < 0 && fgets(text, sizeof(text), f))
		if (strncmp(text, line, strlen(line)) == 0)
			kb = strtol(text + strlen(line), NULL, 10);
	fclose(f);
	return kb;
}

static void mapped_pages_of_files_shrink_and_code_runs_on(void **s)
{
	long before, after;

	(void)s;
	before = status_kb("RssFile:");
	memory_release();
	after = status_kb("RssFile:");
	assert_true(after > 0);
	assert_true(after < before * 3 / 4);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, mapped_pages_of_files_shrink_and_code_runs_on);
	return suite_run(&s, "memory");
}
