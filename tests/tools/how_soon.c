/*
 * Measures how soon a file shows the end of a command, with any exit code, for
 * tests: prints the milliseconds until TEXT is in the file more often than
 * before. Exits with 1 if that takes more than five seconds.
 *
 *   how_soon FILE TEXT COMMAND [ARG]...
 */
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 5000
#define FILE_MAX    (1 << 20)

extern char **environ;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Counts how often a file has the text; 0 if there is no file. */
static unsigned times_in(const char *path, const char *text)
{
	static char whole[FILE_MAX];
	int fd = open(path, O_RDONLY);
	ssize_t used = 0, n;
	unsigned times = 0;

	if (fd < 0)
		return 0;
	while ((n = read(fd, whole + used, sizeof(whole) - 1 - used)) > 0)
		used += n;
	close(fd);
	whole[used] = '\0';
	for (const char *at = whole; (at = strstr(at, text)); at++)
		times++;
	return times;
}

static int watch_folder_of(const char *path)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char folder[256];

	snprintf(folder, sizeof(folder), "%s", path);
	if (inotify_add_watch(fd, dirname(folder), IN_MODIFY | IN_MOVED_TO) < 0)
		return -1;
	return fd;
}

/* Sleeps until something in the directory changes, or the time is over. */
static void await_change(int watch, double until)
{
	struct pollfd p = { watch, POLLIN, 0 };
	char events[4096];
	double left = until - now_ms();

	if (left > 0)
		poll(&p, 1, (int)left + 1);
	while (read(watch, events, sizeof(events)) > 0)
		;
}

static bool run(char **command)
{
	pid_t pid;

	return posix_spawnp(&pid, command[0], NULL, NULL, command, environ) == 0 &&
	       waitpid(pid, NULL, 0) == pid;
}

int main(int argc, char **argv)
{
	unsigned before;
	double ended, now;
	int watch;

	if (argc < 4)
		return 64;
	watch = watch_folder_of(argv[1]);
	before = times_in(argv[1], argv[2]);
	if (watch < 0 || !run(argv + 3))
		return 2;
	ended = now = now_ms();
	while (times_in(argv[1], argv[2]) <= before) {
		if (now >= ended + PATIENCE_MS)
			return 1;
		await_change(watch, ended + PATIENCE_MS);
		now = now_ms();
	}
	printf("%.1f\n", now - ended);
	return 0;
}
