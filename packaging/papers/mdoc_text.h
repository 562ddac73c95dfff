/* Text for mdoc: what comes out is what the reader sees, whatever is in it. */
#ifndef LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H
#define LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H

/* One letter, where no line begins. */
void mdoc_letter(char c);

/*
 * Sentences, each in a line of its own. The first begins with a capital, unless it begins with
 * a name; the last ends in a full stop.
 */
void mdoc_sentences(const char *text);

/* A blank, and the text as one argument of a macro. */
void mdoc_argument(const char *text);

#endif
