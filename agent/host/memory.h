/* The memory of a process that runs for months. */
#ifndef LOSSLESSCTL_AGENT_HOST_MEMORY_H
#define LOSSLESSCTL_AGENT_HOST_MEMORY_H

/*
 * Returns to the kernel free blocks of the heap, and the pages of the program and its libraries,
 * which are mapped again where they are used again.
 */
void memory_release(void);

#endif
