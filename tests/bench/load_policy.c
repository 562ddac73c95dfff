/* Print the milliseconds that loading a policy of 10,000 rules takes: the median of ten runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "policy/document/policy.h"

#define RULES 10000
#define RUNS  10

static const char head[] =
	"{\"version\":1,\"profiles\":{"
	"\"plain\":{\"mtu\":9000,\"pfc\":{\"priorities\":[3]},\"trust\":\"dscp\"},"
	"\"classes\":{\"classes\":["
	"{\"name\":\"roce\",\"priority\":3,\"dscp\":[26],\"lossless\":true,\"bandwidth\":50},"
	"{\"name\":\"cnp\",\"priority\":6,\"dscp\":[48],\"strict\":true,\"cnp\":true},"
	"{\"name\":\"rest\",\"priority\":0,\"bandwidth\":50}]},"
	"\"fast\":{\"mtu\":9000,\"when\":["
	"{\"speed_mbps\":\">=100000\",\"set\":{\"pfc\":{\"cable_m\":30}}},"
	"{\"firmware\":\"22.*\",\"set\":{\"roce\":{\"tos\":106}}}]}},"
	"\"rules\":[";

/* Fill `text` with the document; return its length. */
static size_t write_policy(char *text)
{
	static const char *const profiles[] = { "plain", "classes", "fast" };
	size_t n = (size_t)sprintf(text, "%s", head);

	for (int i = 0; i < RULES; i++)
		n += (size_t)sprintf(text + n,
				     "%s{\"match\":{\"name\":\"ens%d\",\"driver\":\"mlx5_core\"},"
				     "\"profile\":\"%s\",\"set\":{\"mtu\":%d,\"pfc\":{\"cable_m\":"
				     "%d}}}",
				     i ? ",\n" : "", i, profiles[i % 3], 1500 + i % 5000,
				     1 + i % 100);
	return n + (size_t)sprintf(text + n, "]}");
}

static double load_ms(const char *text, size_t size)
{
	struct timespec started_at, ended;
	struct policy *p = NULL;
	struct err err = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &started_at);
	if (!policy_parse(&p, text, size, "bench", &err)) {
		fprintf(stderr, "%s: %s\n", err.where, err.text);
		exit(1);
	}
	clock_gettime(CLOCK_MONOTONIC, &ended);
	free(p);
	return (double)(ended.tv_sec - started_at.tv_sec) * 1e3 +
	       (double)(ended.tv_nsec - started_at.tv_nsec) / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	char *text = malloc(2 * POLICY_MAX_BYTES);
	double runs[RUNS];
	size_t size;

	if (!text)
		return 1;
	size = write_policy(text);
	for (int i = 0; i < RUNS; i++)
		runs[i] = load_ms(text, size);
	qsort(runs, RUNS, sizeof(runs[0]), by_size);
	printf("%.1f\n", (runs[RUNS / 2 - 1] + runs[RUNS / 2]) / 2);
	free(text);
	return 0;
}
