// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

static const char *why_not(const struct stat *status)
{
	if (S_ISDIR(status->st_mode))
		return strerror(EISDIR);
	return S_ISREG(status->st_mode) ? NULL : "not a regular file";
}

static FILE *open_file(const char *path, bool any, struct hd_error *err)
{
	/*
	 * opening a FIFO would block until somebody writes to it; regular files do not mind the
	 * flag
	 */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const char *reason;
	struct stat status;
	FILE *file;

	if (fd < 0 || fstat(fd, &status)) {
		reason = strerror(errno);
	} else {
		reason = any && !S_ISDIR(status.st_mode) ? NULL : why_not(&status);
		fcntl(fd, F_SETFL, 0);
	}
	file = reason ? NULL : fdopen(fd, "rb");
	if (file)
		return file;
	hd_error_at(err, HD_EIO, path, 0, "%s", reason ? reason : strerror(errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

FILE *hd_input_open(const char *path, struct hd_error *err)
{
	return open_file(path, false, err);
}

static bool is_handed_over(const char *path)
{
	static const char *const directories[] = { "/dev/fd/", "/dev/stdin", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		if (!strncmp(path, directories[i], strlen(directories[i])))
			return true;
	return false;
}

FILE *hd_input_open_argument(const char *path, struct hd_error *err)
{
	return open_file(path, is_handed_over(path), err);
}
