/* Run a command, and print its peak memory in kB: peak COMMAND [ARG]... */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
	posix_spawn_file_actions_t actions;
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2)
		return 64;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[1], &actions, NULL, argv + 1, environ) != 0 ||
	    wait4(pid, &status, 0, &used) != pid)
		return 1;
	printf("%ld\n", used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
