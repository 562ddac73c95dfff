/* Firmware: its version on adapters of one kind, and its parameters. */
#include <string.h>

#include "../../policy/model/firmware_parameter.h"
#include "../../policy/model/setting.h"
#include "../registry.h"
#include "reading.h"
#include "registry.h"

/* ---- versions ---- */

enum { DIFFERS, UNIFORM };

/* "28.41.1000 (MT_0000000834)": boards of one kind may differ in the part in brackets. */
static size_t version_length(const struct port *p)
{
	return strcspn(p->firmware, " ");
}

static bool same_version(const struct port *a, const struct port *b)
{
	return version_length(a) == version_length(b) &&
	       strncmp(a->firmware, b->firmware, version_length(a)) == 0;
}

/* True of adapters of one PCI vendor and device. A VF has its PF's firmware. */
static bool same_kind(struct host *h, const struct port *a, const struct port *b)
{
	long kind[2][2];
	const struct port *const both[] = { a, b };

	for (int i = 0; i < 2; i++)
		if (!reading_number(h, &kind[i][0], "/sys/bus/pci/devices/%s/vendor",
				    both[i]->id.pci) ||
		    !reading_number(h, &kind[i][1], "/sys/bus/pci/devices/%s/device",
				    both[i]->id.pci))
			return false;
	return memcmp(kind[0], kind[1], sizeof(kind[0])) == 0;
}

static void read_versions(const struct ready_scene *s, const struct port *none,
			  struct ready_reading *r)
{
	(void)none;
	ready_not_applicable(r, "no two adapters are of one kind");
	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct port *a = &s->ports[k], *b = &s->ports[i];

			if (a->is_vf || b->is_vf || !a->firmware[0] || !b->firmware[0] ||
			    !same_kind(s->h, a, b))
				continue;
			if (!same_version(a, b)) {
				ready_found(r, DIFFERS, "%s has %.*s, %s %.*s", a->id.name,
					    (int)version_length(a), a->firmware, b->id.name,
					    (int)version_length(b), b->firmware);
				ready_reason(r, "%s", "");
				return;
			}
			ready_found(r, UNIFORM, "%.*s", (int)version_length(a), a->firmware);
			ready_reason(r, "%s", "");
		}
}

const struct ready_reader ready_firmware = { .id = READY_FIRMWARE, .read = read_versions };

/* ---- parameters ---- */

enum { PENDING, IN_EFFECT };
enum { OFF, PARTLY, ON };

static bool read_parameters(const struct ready_scene *s, const struct port *port,
			    const struct feature *feature, struct config *ret,
			    struct ready_reading *r)
{
	struct err err = { 0 };

	*ret = (struct config){ 0 };
	if (feature->read(s->h, port, ret, &err))
		return true;
	if (err.kind == ERR_UNSUPPORTED)
		ready_not_applicable(r, err.text);
	else
		reading_failed(r, &err);
	return false;
}

static void read_nvconfig(const struct ready_scene *s, const struct port *port,
			  struct ready_reading *r)
{
	const struct setting *k = &settings[SETTING_FIRMWARE_NVCONFIG];
	struct config c;

	if (!read_parameters(s, port, &feature_nvconfig, &c, r))
		return;
	ready_found(r, IN_EFFECT, "%s", "");
	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, &c, i);

		if (p.state == PARAMETER_SET && p.current != p.next_boot) {
			ready_found(r, PENDING, "%s changes at the next boot",
				    nvconfig_rows[i].name);
			return;
		}
	}
}

const struct ready_reader ready_nvconfig = { .id = READY_NVCONFIG, .read = read_nvconfig };

static void read_roce_accl(const struct ready_scene *s, const struct port *port,
			   struct ready_reading *r)
{
	const struct setting *k = &settings[SETTING_FIRMWARE_ROCE_ACCL];
	size_t known = 0, on = 0;
	struct config c;

	if (!read_parameters(s, port, &feature_roce_accl, &c, r))
		return;
	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, &c, i);

		known += p.state == PARAMETER_SET;
		on += p.state == PARAMETER_SET && p.current;
	}
	if (!known) {
		ready_not_applicable(r, "the firmware has none of the accelerations");
		return;
	}
	ready_found(r, on == known ? ON : on ? PARTLY : OFF, "%zu of %zu on", on, known);
}

const struct ready_reader ready_roce_accl = { .id = READY_ROCE_ACCL, .read = read_roce_accl };
