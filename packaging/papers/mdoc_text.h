/* Text for mdoc: what comes out is what the reader sees, whatever is in it. */
#ifndef LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H
#define LOSSLESSCTL_PACKAGING_PAPERS_MDOC_TEXT_H

/* One letter, where no line begins. */
void mdoc_letter(char c);

/* Sentences, each in a line of its own, with a capital first and a full stop at the end. */
void mdoc_sentences(const char *text);

/* A blank, and the text as one argument of a macro. */
void mdoc_argument(const char *text);

#endif
