// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

/* What is there and no regular file (/dev/full, a pipe) is written to, and not replaced. */
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
	size_t length = strlen(path);
	mode_t mask;
	int fd;

	*output = (struct hd_output){ 0 };
	if (strcmp(path, "-") == 0) {
		output->stream = stdout;
		return 0;
	}
	if (is_special(path))
		return open_special(output, path, err);
	output->path = strdup(path);
	output->temporary = malloc(length + sizeof(".XXXXXX"));
	if (!output->path || !output->temporary) {
		hd_output_abort(output);
		return hd_error_nomem(err);
	}
	memcpy(output->temporary, path, length);
	memcpy(output->temporary + length, ".XXXXXX", sizeof(".XXXXXX"));
	fd = mkstemp(output->temporary);
	if (fd < 0) {
		int saved = errno;

		free(output->temporary); /* not a file of ours to remove */
		output->temporary = NULL;
		hd_output_abort(output);
		return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(saved));
	}
	mask = umask(0);
	umask(mask);
	if (fchmod(fd, 0666 & ~mask) == 0)
		output->stream = fdopen(fd, "wb");
	if (!output->stream) {
		int saved = errno;

		close(fd);
		hd_output_abort(output);
		return hd_error_at(err, HD_EIO, path, 0, "cannot write: %s", strerror(saved));
	}
	return 0;
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
	if (!failed && output->temporary)
		failed = rename(output->temporary, output->path);
	saved = errno;
	if (failed) {
		hd_error_at(err, HD_EIO, output->path, 0, "cannot write: %s", strerror(saved));
		hd_output_abort(output);
		return HD_EIO;
	}
	free(output->temporary);
	free(output->path);
	*output = (struct hd_output){ 0 };
	return 0;
}

void hd_output_abort(struct hd_output *output)
{
	if (output->stream && output->path)
		fclose(output->stream);
	if (output->temporary)
		unlink(output->temporary);
	free(output->temporary);
	free(output->path);
	*output = (struct hd_output){ 0 };
}
