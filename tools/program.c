// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/program.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/error.h"

int hd_program_run(const struct hd_program *program, int in, int out, struct hd_error *err)
{
	extern char **environ;
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int failed, status = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	failed = posix_spawnp(&pid, program->argv[0], &actions, NULL, program->argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failed)
		return hd_error_set(err, HD_EINVAL,
				    "%s cannot be run: %s (on Debian: apt-get install %s)",
				    program->purpose, strerror(failed), program->package);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return hd_error_set(err, HD_EIO, "%s failed", program->argv[0]);
	return 0;
}
