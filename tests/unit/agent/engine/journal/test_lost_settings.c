/* Tests of settings that a driver lost: other runs read them from a file in /run. */
#include <errno.h>
#include <stdio.h>

#include "agent/engine/journal/lost_settings.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

struct disk {
	struct host host; /* first, so that a struct host * is a struct disk * */
	const char *text; /* NULL: no file */
	int code;	  /* errno of the read; 0: success */
	unsigned reads;
	char published[256];
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct disk *d = (struct disk *)h;

	assert_string_equal(path, "/run/losslessctl/lost-settings");
	d->reads++;
	if (d->code || !d->text)
		return err_set(err, d->code ? ERR_DENIED : ERR_UNSUPPORTED,
			       d->code ? d->code : ENOENT, "read %s", path);
	snprintf(buf, size, "%s", d->text);
	return true;
}

static bool publish_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct disk *d = (struct disk *)h;

	(void)path;
	(void)err;
	snprintf(d->published, sizeof(d->published), "%s", text);
	return true;
}

static struct disk disk(const char *text)
{
	return (struct disk){ .host = { .read_file = read_file,
					.publish_file = publish_file,
					.may_write = true,
					.facts.is_kept = true },
			      .text = text };
}

static const struct port one = { .id = { .pci = "0000:3b:00.0" }, .ifindex = 7, .rdma_index = 1 };
static const struct port two = { .id = { .pci = "0000:3b:00.1" }, .ifindex = 8, .rdma_index = 2 };

static setting_set unseen(struct disk *d, const struct port *port)
{
	return lost_settings_of(&d->host, port).unseen;
}

static void each_port_has_its_own(void **s)
{
	struct disk d = disk("0000:3b:00.1 8 2 pfc.priorities lost\n");

	(void)s;
	assert_int_equal(unseen(&d, &one), 0);
	assert_int_equal(unseen(&d, &two), SETTING(SETTING_PFC_PRIORITIES));
}

static void a_restart_of_the_driver_ends_them(void **s)
{
	struct disk d = disk("0000:3b:00.1 9 2 pfc.priorities lost\n");

	(void)s;
	assert_int_equal(unseen(&d, &two), 0);
}

static void a_file_that_names_none_is_read_once_a_run(void **s)
{
	static const char *const texts[] = { NULL, "" };

	(void)s;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct disk d = disk(texts[i]);

		assert_int_equal(unseen(&d, &one), 0);
		d.text = "0000:3b:00.1 8 2 pfc.priorities lost\n";
		assert_int_equal(unseen(&d, &two), 0);
		assert_int_equal(d.reads, 1);
		run_facts_forget(&d.host.facts);
		assert_int_equal(unseen(&d, &two), SETTING(SETTING_PFC_PRIORITIES));
	}
}

static void a_file_that_cannot_be_read_is_tried_again(void **s)
{
	struct disk d = disk("0000:3b:00.1 8 2 pfc.priorities lost\n");

	(void)s;
	d.code = EACCES;
	assert_int_equal(unseen(&d, &two), 0);
	d.code = 0;
	assert_int_equal(unseen(&d, &two), SETTING(SETTING_PFC_PRIORITIES));
}

/* Another run may have written the file after this run found none. */
static void a_record_keeps_the_lines_of_other_ports(void **s)
{
	const struct lost_settings lost = { .unseen = SETTING(SETTING_PFC_PRIORITIES) };
	struct disk d = disk(NULL);
	struct err err = { 0 };

	(void)s;
	assert_int_equal(unseen(&d, &one), 0);
	d.text = "0000:3b:00.1 8 2 pfc.priorities stuck\n";
	assert_true(lost_settings_record(&d.host, &one, &lost, &err));
	assert_string_equal(d.published, "0000:3b:00.1 8 2 pfc.priorities stuck\n"
					 "0000:3b:00.0 7 1 pfc.priorities lost\n");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, each_port_has_its_own);
	SUITE_ADD(&s, a_restart_of_the_driver_ends_them);
	SUITE_ADD(&s, a_file_that_names_none_is_read_once_a_run);
	SUITE_ADD(&s, a_file_that_cannot_be_read_is_tried_again);
	SUITE_ADD(&s, a_record_keeps_the_lines_of_other_ports);
	return suite_run(&s, "lost_settings");
}
