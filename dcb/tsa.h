/* Converts transmission selection algorithms (TSA) between enum tsa and the kernel's codes. */
#ifndef LOSSLESSCTL_DCB_TSA_H
#define LOSSLESSCTL_DCB_TSA_H

#include <stdint.h>

/* enum tsa of a kernel code; reserved codes that a driver may report (3 to 254) count as vendor. */
uint8_t tsa_from_kernel(uint8_t code);

/* The kernel's IEEE_8021QAZ_TSA_* of an enum tsa. */
uint8_t tsa_to_kernel(uint8_t tsa);

#endif
