#include "round_robin.h"

/* With an odd number of hosts, the seat of the last one is empty. */
static size_t seats(size_t hosts)
{
	return hosts + hosts % 2;
}

size_t round_robin_rounds(size_t hosts)
{
	return hosts ? seats(hosts) - 1 : 0;
}

size_t round_robin_places(size_t hosts)
{
	return seats(hosts) / 2;
}

/* The next half of the circle behind a host is begun by it, the half before it is not. */
static bool begins(size_t hosts, size_t from, size_t to)
{
	size_t ahead = (to + hosts - from) % hosts;

	return 2 * ahead == hosts ? from < to : 2 * ahead < hosts;
}

/* The last seat stays where it is, and the others move around it. */
bool round_robin_pair(size_t hosts, size_t round, size_t place, size_t *from, size_t *to)
{
	size_t circle = seats(hosts) - 1;
	size_t a = place ? (round + place) % circle : circle;
	size_t b = (round + circle - place) % circle;

	if (a >= hosts || b >= hosts)
		return false;
	*from = begins(hosts, a, b) ? a : b;
	*to = *from == a ? b : a;
	return true;
}
