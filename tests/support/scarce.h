/* Memory that runs out on request: malloc, calloc and realloc of the whole process, libraries too.
 */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_SCARCE_H
#define LOSSLESSCTL_TESTS_SUPPORT_SCARCE_H

#include <stdbool.h>

/* From now on the n-th allocation fails, or all from it on; 0: none, it only counts. */
void scarce_begin(unsigned n, bool for_good);

/* How many were asked for since; memory is there again. */
unsigned scarce_end(void);

#endif
