/* Run the corpus of a fuzz target, file by file, without libFuzzer. Prints TAP. */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

#define INPUT_MAX 65536
#define PATH_LEN  4096

static int is_input(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Run an input from memory of its size only, so that sanitizers detect reads beyond it. */
static void carry_out(const char *path)
{
	static uint8_t buf[INPUT_MAX];
	FILE *f = fopen(path, "rb");
	size_t size = f ? fread(buf, 1, sizeof(buf), f) : 0;
	uint8_t *data = malloc(size ? size : 1);

	MUST(f && data && size < sizeof(buf));
	fclose(f);
	memcpy(data, buf, size);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(void)
{
	struct dirent **inputs;
	int count = scandir(CORPUS, &inputs, is_input, alphasort);
	char path[PATH_LEN];

	MUST(count > 0);
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", CORPUS, inputs[i]->d_name);
		carry_out(path);
		printf("ok %d - %s is survived\n", i + 1, inputs[i]->d_name);
		fflush(stdout);
		free(inputs[i]);
	}
	free(inputs);
	return 0;
}
