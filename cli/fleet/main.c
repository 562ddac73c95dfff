#include "fleet.h"

int main(int argc, char **argv)
{
	(void)argc;
	return fleet(argv);
}
