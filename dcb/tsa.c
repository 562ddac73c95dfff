#include "tsa.h"

#include <linux/dcbnl.h>
#include <stddef.h>

#include "../policy/model/config.h"

static const uint8_t codes[] = {
	[TSA_STRICT] = IEEE_8021QAZ_TSA_STRICT,
	[TSA_CBS] = IEEE_8021QAZ_TSA_CB_SHAPER,
	[TSA_ETS] = IEEE_8021QAZ_TSA_ETS,
	[TSA_VENDOR] = IEEE_8021QAZ_TSA_VENDOR,
};

uint8_t tsa_from_kernel(uint8_t code)
{
	for (size_t i = 0; i < sizeof(codes); i++)
		if (codes[i] == code)
			return (uint8_t)i;
	return TSA_VENDOR;
}

uint8_t tsa_to_kernel(uint8_t tsa)
{
	return codes[tsa];
}
