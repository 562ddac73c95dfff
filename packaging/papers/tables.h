/* Prints the program's tables as parts of a manual page, or of a shell's completion. */
#ifndef LOSSLESSCTL_PACKAGING_PAPERS_TABLES_H
#define LOSSLESSCTL_PACKAGING_PAPERS_TABLES_H

#include <stdbool.h>

/* Print the part with this name; return false if there is none. */
bool mdoc_print(const char *name);
bool shell_print(const char *name);

#endif
