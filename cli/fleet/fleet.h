/* The program losslessctl-fleet: stores and compares the reports of many hosts. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLEET_H
#define LOSSLESSCTL_CLI_FLEET_FLEET_H

/* Runs the command line and returns the exit code. Reorders argv. */
int fleet(char **argv);

#endif
