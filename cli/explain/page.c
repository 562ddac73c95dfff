#include "page.h"

#include <stdio.h>

#include "../output/print.h"

#define HEAD_WIDTH 9

void page_text(struct explain_page *p, const char *head, const char *key, const char *text)
{
	if (!p->is_text && key && text)
		json_object_set_new(p->doc, key, json_string(text));
	if (!p->is_text || !head || !text)
		return;
	if (!p->has_lines)
		putchar('\n');
	p->has_lines = true;
	if (*head) {
		wrap_row(stdout, head, HEAD_WIDTH, text);
	} else {
		fputs("  ", stdout);
		wrap_print(stdout, text, 2, 2);
	}
}

void page_json(struct explain_page *p, const char *key, json_t *value)
{
	if (p->is_text)
		json_decref(value);
	else
		json_object_set_new(p->doc, key, value);
}

void page_number(struct explain_page *p, const char *head, const char *key, unsigned number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	page_text(p, head, NULL, text);
	page_json(p, key, json_integer(number));
}
