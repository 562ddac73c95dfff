/*
 * fill TEMPLATE: prints the template, with a part made of the program's tables in
 * place of each comment that ends in @NAME@.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

/* Return the part's name, cut out of the line, or NULL if the line is no placeholder. */
static char *part_name(char *line)
{
	char *name, *end = strrchr(line, '@');

	if ((line[strspn(line, " \t")] != '#' && strncmp(line, ".\\\"", 3) != 0) || !end ||
	    strcmp(end, "@\n") != 0)
		return NULL;
	*end = '\0';
	name = strrchr(line, '@');
	return name ? name + 1 : NULL;
}

static bool fill(FILE *template, const char *path)
{
	char line[1024];

	while (fgets(line, sizeof(line), template)) {
		char copy[sizeof(line)], *name = part_name(strcpy(copy, line));

		if (!name) {
			fputs(line, stdout);
		} else if (!mdoc_print(name) && !shell_print(name)) {
			fprintf(stderr, "%s: there is no part \"%s\"\n", path, name);
			return false;
		}
	}
	return !ferror(template);
}

int main(int argc, char **argv)
{
	FILE *template = argc == 2 ? fopen(argv[1], "re") : NULL;
	bool done = template && fill(template, argv[1]);

	if (!template)
		fprintf(stderr, "usage: fill TEMPLATE (%s)\n", strerror(errno));
	else
		fclose(template);
	return done && fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
