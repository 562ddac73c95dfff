#include "losslessctl.h"

int main(int argc, char **argv)
{
	return losslessctl(argc, argv, &platform_linux);
}
