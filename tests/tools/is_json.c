/*
 * Checks that files are whole: JSON objects one after another. Fails with the name of the first
 * that is not. (jq takes longer to start, on an emulated processor, than a run of losslessctl.)
 *
 *   is_json FILE…
 */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

static bool is_at_end(FILE *f)
{
	int c;

	do {
		c = fgetc(f);
	} while (isspace(c));
	return c == EOF || ungetc(c, f) == EOF;
}

static bool is_whole(FILE *f)
{
	do {
		json_t *doc = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL);
		bool is_object = json_is_object(doc);

		json_decref(doc);
		if (!is_object)
			return false;
	} while (!is_at_end(f));
	return true;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "re");

		if (!f || !is_whole(f)) {
			printf("%s is torn\n", argv[i]);
			return 1;
		}
		fclose(f);
	}
	return 0;
}
