#include "dscp_rest.h"

int dscp_most_common(const int8_t prio[DSCPS], int *ret_others)
{
	int counts[PRIOS] = { 0 }, most = 0;

	for (int d = 0; d < DSCPS; d++)
		if (prio[d] >= 0 && prio[d] < PRIOS)
			counts[prio[d]]++;
	for (int p = 0; p < PRIOS; p++)
		most = counts[p] > counts[most] ? p : most;
	*ret_others = DSCPS - counts[most];
	return most;
}
