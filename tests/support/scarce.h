/* Memory that runs out on request: malloc, calloc and realloc of the process and its libraries. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_SCARCE_H
#define LOSSLESSCTL_TESTS_SUPPORT_SCARCE_H

#include <stdbool.h>

/* Makes the n-th allocation from now fail, or all from it on; 0: only counts them. */
void scarce_begin(unsigned n, bool for_good);

/* Ends the shortage. Returns the number of allocations since its begin. */
unsigned scarce_end(void);

#endif
