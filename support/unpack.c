// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/error.h"
#include "support/unpack_method.h"

struct hd_unpack {
	FILE *file;
	const char *name;
	const struct hd_unpack_method *method; /* NULL: the file is not packed */
	void *state;
	struct hd_unpack_window window;
	bool may_end;     /* all that was taken makes whole files */
	uint64_t packed;  /* bytes of the file, as far as they are known */
	uint64_t taken;   /* of them, so far */
	uint64_t given;   /* of what it holds, so far */
	uint64_t allowed; /* of what it holds */
	uint8_t buffer[1 << 16];
};

static const struct hd_unpack_method *const methods[] = { &hd_unpack_gzip, &hd_unpack_xz,
							  &hd_unpack_zstd };

static int refill(struct hd_unpack *unpack, struct hd_error *err)
{
	size_t got = fread(unpack->buffer, 1, sizeof(unpack->buffer), unpack->file);

	unpack->window.in = unpack->buffer;
	unpack->window.in_end = unpack->buffer + got;
	unpack->window.is_last = feof(unpack->file) != 0;
	unpack->taken += got;
	if (unpack->taken > unpack->packed)
		unpack->packed = unpack->taken;
	if (ferror(unpack->file))
		return hd_error_at(err, HD_EIO, unpack->name, 0, "%s", strerror(errno));
	return 0;
}

static int find_method(struct hd_unpack *unpack, struct hd_error *err)
{
	size_t size = (size_t)(unpack->window.in_end - unpack->window.in);

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (size >= methods[i]->magic_size &&
		    memcmp(unpack->buffer, methods[i]->magic, methods[i]->magic_size) == 0)
			unpack->method = methods[i];
	if (!unpack->method)
		return 0;
	if (!unpack->method->begin)
		return hd_error_at(err, HD_EIO, unpack->name, 0,
				   "packed by %s, which this program was built without (on Debian: "
				   "%s): unpack the file first",
				   unpack->method->name, unpack->method->package);
	unpack->state = unpack->method->begin();
	return unpack->state ? 0 : hd_error_nomem(err);
}

int hd_unpack_new(FILE *file, const char *name, bool unpacks, struct hd_unpack **result,
		  struct hd_error *err)
{
	struct hd_unpack *unpack = calloc(1, sizeof(*unpack));
	struct stat status;
	int ret;

	*result = NULL;
	if (!unpack)
		return hd_error_nomem(err);
	unpack->file = file;
	unpack->name = name;
	unpack->allowed = HD_UNPACK_MAX;
	/* a file in memory has no number */
	if (fileno(file) >= 0 && !fstat(fileno(file), &status) && S_ISREG(status.st_mode))
		unpack->packed = (uint64_t)status.st_size;
	ret = refill(unpack, err);
	if (!ret && unpacks)
		ret = find_method(unpack, err);
	if (ret)
		hd_unpack_free(unpack);
	else
		*result = unpack;
	return ret;
}

void hd_unpack_free(struct hd_unpack *unpack)
{
	if (!unpack)
		return;
	if (unpack->state)
		unpack->method->end(unpack->state);
	free(unpack);
}

void hd_unpack_allow(struct hd_unpack *unpack, uint64_t bytes)
{
	if (bytes > unpack->allowed)
		unpack->allowed = bytes;
}

/* How many bytes the packed file may hold. */
static uint64_t most(const struct hd_unpack *unpack)
{
	const uint64_t times = unpack->packed < UINT64_MAX / HD_UNPACK_TIMES
				       ? unpack->packed * HD_UNPACK_TIMES
				       : UINT64_MAX;

	return times > unpack->allowed ? times : unpack->allowed;
}

static int too_much(const struct hd_unpack *unpack, struct hd_error *err)
{
	return hd_error_at(
		err, HD_EIO, unpack->name, 0,
		"packed by %s, and holds more than %" PRIu64
		" MiB, the bound for a packed file of its size: unpack it first if it is "
		"what it should be",
		unpack->method->name, most(unpack) >> 20);
}

/* What is there of a file that is not packed. */
static int read_plain(struct hd_unpack *unpack, void *buffer, size_t size, size_t *got,
		      struct hd_error *err)
{
	struct hd_unpack_window *window = &unpack->window;
	size_t held = (size_t)(window->in_end - window->in);

	if (held) {
		*got = held < size ? held : size;
		memcpy(buffer, window->in, *got);
		window->in += *got;
		return 0;
	}
	*got = window->is_last ? 0 : fread(buffer, 1, size, unpack->file);
	if (ferror(unpack->file))
		return hd_error_at(err, HD_EIO, unpack->name, 0, "%s", strerror(errno));
	return 0;
}

/* Unpacks some; @moved: whether anything was taken or given. */
static int step(struct hd_unpack *unpack, bool *moved, struct hd_error *err)
{
	struct hd_unpack_window *window = &unpack->window;
	const uint8_t *in = window->in, *out = window->out;
	enum hd_unpack_step done = unpack->method->step(unpack->state, window);

	*moved = window->in != in || window->out != out;
	unpack->may_end = done == HD_UNPACK_ENDED;
	if (done == HD_UNPACK_NOMEM)
		return hd_error_nomem(err);
	if (done == HD_UNPACK_DAMAGED)
		return hd_error_at(err, HD_EPARSE, unpack->name, 0, "damaged: %s cannot unpack it",
				   unpack->method->name);
	return 0;
}

int hd_unpack_read(struct hd_unpack *unpack, void *buffer, size_t size, size_t *got,
		   struct hd_error *err)
{
	struct hd_unpack_window *window = &unpack->window;
	uint64_t left; /* and one byte more, which tells that there is more */
	int ret = 0;

	*got = 0;
	if (!unpack->method)
		return read_plain(unpack, buffer, size, got, err);
	left = most(unpack) - unpack->given + 1;
	window->out = buffer;
	window->out_end = window->out + (size < left ? size : left);
	while (!ret && window->out == (uint8_t *)buffer) {
		bool moved = false;

		if (window->in == window->in_end && !window->is_last) {
			ret = refill(unpack, err);
			continue;
		}
		if (window->in == window->in_end && unpack->may_end)
			return 0;
		ret = step(unpack, &moved, err);
		if (!ret && !moved && !unpack->may_end)
			return hd_error_at(err, HD_EPARSE, unpack->name, 0,
					   "cut short: the end of what %s packed is missing",
					   unpack->method->name);
	}
	*got = (size_t)(window->out - (uint8_t *)buffer);
	unpack->given += *got;
	return !ret && unpack->given > most(unpack) ? too_much(unpack, err) : ret;
}
