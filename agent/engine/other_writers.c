#include "other_writers.h"

#include "../../policy/model/setting_table.h"

const struct running_writer *other_writers_of(const struct other_writers *all, unsigned setting)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].writer->writes & SETTING(setting))
			return &all->list[i];
	return NULL;
}
