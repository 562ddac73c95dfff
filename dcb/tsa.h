/* Transmission selection algorithms: ours and the kernel's. */
#ifndef LOSSLESSCTL_DCB_TSA_H
#define LOSSLESSCTL_DCB_TSA_H

#include <stdint.h>

/* enum tsa of what a driver says; what it makes up (3 to 254) is its own affair: vendor. */
uint8_t tsa_from_kernel(uint8_t code);

/* IEEE_8021QAZ_TSA_* of enum tsa. */
uint8_t tsa_to_kernel(uint8_t tsa);

#endif
