// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

/*
 * Whether @path is there and no regular file (/dev/full, a pipe): then it is written to, and not
 * replaced.
 */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static int open_special(struct hd_output *output, const char *path, struct hd_error *err)
{
	output->stream = fopen(path, "wb");
	if (!output->stream)
		return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(errno));
	output->path = strdup(path);
	if (!output->path) {
		fclose(output->stream);
		return hd_error_nomem(err);
	}
	return 0;
}

int hd_output_open(struct hd_output *output, const char *path, struct hd_error *err)
{
	int fd, saved;

	*output = (struct hd_output){ 0 };
	if (strcmp(path, "-") == 0) {
		output->stream = stdout;
		return 0;
	}
	if (is_special(path))
		return open_special(output, path, err);
	if (hd_temporary_make(&output->temporary, path, false, 0666))
		return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(errno));
	output->path = strdup(path);
	/* the lock outlives the stream: the file needs it until it has its name */
	fd = fcntl(output->temporary.fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0)
		output->stream = fdopen(fd, "wb");
	if (output->path && output->stream)
		return 0;
	saved = errno;
	if (fd >= 0 && !output->stream)
		close(fd);
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
