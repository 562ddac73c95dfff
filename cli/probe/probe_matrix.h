/* The matrix of `losslessctl probe --hosts`: the class in which each host reaches each other. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_MATRIX_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_MATRIX_H

#include <stdio.h>

#include "probe_outcome.h"

#define MATRIX_HOSTS_MAX 40 /* more are not drawn */

/*
 * Draws a row for each host that sends, and a column for each that receives. Of more hosts than
 * MATRIX_HOSTS_MAX, those that are not in class everywhere have a line with their sums. Then each
 * outcome that occurs is listed, the worst first, with its directions, their reason and fix.
 */
void probe_matrix_draw(FILE *to, const struct style *s, const struct probe_plan *p);

#endif
