/* Prints text for mdoc, escaped so that the reader sees every letter as it is. */
#ifndef LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H
#define LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H

/* Print one letter, not at the beginning of a line. */
void mdoc_letter(char c);

/*
 * Print sentences, each on a line of its own. The first begins with a capital, unless it begins
 * with a name; the last ends in a full stop.
 */
void mdoc_sentences(const char *text);

/* Print a blank, and the text as one argument of a macro. */
void mdoc_argument(const char *text);

#endif
