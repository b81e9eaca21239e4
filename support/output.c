// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

#define MOST_LINKS 40 /* symbolic links in a row, as the kernel's */

/*
 * The descriptor that @path stands for ("/dev/stdout", "/dev/fd/3"), or -1. Whoever opens such a
 * path writes from the start of the shell's file, and not where its descriptor stands.
 */
static int descriptor_of(const char *path)
{
	static const char *const directories[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		const size_t length = strlen(directories[i]);
		char *end;
		long fd;

		if (strncmp(path, directories[i], length) != 0 || path[length] < '0' ||
		    path[length] > '9')
			continue;
		fd = strtol(path + length, &end, 10);
		return *end || fd > INT_MAX ? -1 : (int)fd;
	}
	return -1;
}

/* The name of @path's directory, from malloc(). */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

/*
 * Whether to follow the symbolic link @path: not one that another user has put into a directory
 * where all may write, such as /tmp (the rule of Linux' protected_symlinks).
 */
static bool may_follow(const char *path, const struct stat *link)
{
	char *directory = directory_of(path);
	struct stat parent;
	bool may = directory && stat(directory, &parent) == 0 &&
		   ((parent.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
		    link->st_uid == geteuid() || link->st_uid == parent.st_uid);

	free(directory);
	return may;
}

/* What the symbolic link @path names, from malloc(); NULL with errno. */
static char *target_of(const char *path)
{
	char target[PATH_MAX], *directory, *whole;
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	if (length < 0)
		return NULL;
	target[length] = '\0';
	if (target[0] == '/')
		return strdup(target);
	directory = directory_of(path);
	if (!directory || asprintf(&whole, "%s%s", directory, target) < 0)
		whole = NULL;
	free(directory);
	return whole;
}

/*
 * The file that is written for @path, from malloc(): where symbolic links lead, even if no file is
 * there yet. NULL with errno.
 */
static char *follow(const char *path)
{
	char *name = strdup(path);

	for (int i = 0; name && i < MOST_LINKS; i++) {
		struct stat status;
		char *next;

		if (descriptor_of(name) >= 0 || lstat(name, &status) || !S_ISLNK(status.st_mode))
			return name;
		errno = EACCES;
		next = may_follow(name, &status) ? target_of(name) : NULL;
		free(name);
		name = next;
	}
	if (name)
		errno = ELOOP;
	free(name);
	return NULL;
}

/* Makes a stream of a copy of descriptor @given. -1 with errno. */
static int open_stream(struct hd_output *output, int given)
{
	const int fd = fcntl(given, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	output->stream = fdopen(fd, "wb");
	if (!output->stream)
		close(fd);
	return output->stream ? 0 : -1;
}

/* Writes to the descriptor, device or pipe itself. -1 with errno. */
static int open_special(struct hd_output *output)
{
	const int given = descriptor_of(output->path);

	if (given < 0) {
		output->stream = fopen(output->path, "wbe");
		return output->stream ? 0 : -1;
	}
	if (given == STDOUT_FILENO && fflush(stdout))
		return -1;
	return open_stream(output, given);
}

/* Gives @fd what the file has that it replaces. A group that it cannot have gets no rights. */
static int keep_owner_and_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	if (fchown(fd, old->st_uid, old->st_gid) && fchown(fd, (uid_t)-1, old->st_gid))
		mode &= ~(mode_t)S_IRWXG;
	return fchmod(fd, mode);
}

/*
 * Makes a file beside the one that is there, if one is (@old), with its mode and, as far as this
 * user may, its owner. -1 with errno.
 */
static int open_beside(struct hd_output *output, const struct stat *old)
{
	/* a file that this user may not write is not to be replaced either */
	if (old && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS))
		return -1;
	if (hd_temporary_make(&output->temporary, output->path, false, 0666))
		return -1;
	if (old && keep_owner_and_mode(output->temporary.fd, old))
		return -1;
	/* the lock outlives the stream: the file needs it until it has its name */
	return open_stream(output, output->temporary.fd);
}

int hd_output_open(struct hd_output *output, const char *path, struct hd_error *err)
{
	struct stat old;
	bool is_there;
	int failed, saved;

	*output = (struct hd_output){ 0 };
	if (strcmp(path, "-") == 0) {
		output->stream = stdout;
		return 0;
	}
	output->path = follow(path);
	if (!output->path)
		return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(errno));
	is_there = stat(output->path, &old) == 0;
	/* a device or a pipe is not replaced; a directory cannot be, as rename() says */
	if (descriptor_of(output->path) >= 0 ||
	    (is_there && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)))
		failed = open_special(output);
	else
		failed = open_beside(output, is_there && S_ISREG(old.st_mode) ? &old : NULL);
	if (!failed)
		return 0;
	saved = errno;
	hd_output_abort(output);
	return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(saved));
}

int hd_output_commit(struct hd_output *output, struct hd_error *err)
{
	int failed, saved;

	if (!output->path) {
		if (fflush(stdout) || ferror(stdout))
			return hd_error_at(err, HD_EIO, "<stdout>", 0, "cannot write: %s",
					   strerror(errno));
		output->stream = NULL;
		return 0;
	}
	failed = ferror(output->stream);
	errno = failed ? EIO : 0;
	failed |= fclose(output->stream);
	output->stream = NULL;
	if (!failed && output->temporary.path)
		failed = rename(output->temporary.path, output->path);
	saved = errno;
	if (failed) {
		hd_error_at(err, HD_EIO, output->path, 0, "cannot write: %s", strerror(saved));
		hd_output_abort(output);
		return HD_EIO;
	}
	hd_temporary_release(&output->temporary);
	free(output->path);
	*output = (struct hd_output){ 0 };
	return 0;
}

void hd_output_abort(struct hd_output *output)
{
	if (output->stream && output->stream != stdout)
		fclose(output->stream);
	hd_temporary_remove(&output->temporary);
	free(output->path);
	*output = (struct hd_output){ 0 };
}
