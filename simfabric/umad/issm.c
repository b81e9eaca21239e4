// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * IsSM of the port is set as long as a subnet manager has a certain file open. Here, opening that
 * path gives a connection to the server, which clears IsSM when it closes, however that happens.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "simfabric/umad/connection.h"
#include "simfabric/umad/export.h"
#include "simfabric/umad/ports.h"

/* No such file exists. */
#define ISSM_PATH "/dev/" HD_CA_NAME "/issm"

HD_EXPORT int open64(const char *path, int flags, ...);

HD_EXPORT int umad_get_issm_path(const char *ca_name, int portnum, char path[], int max)
{
	struct hd_ring_answer answer;
	int error;

	if (!hd_is_our_ca(ca_name) || portnum < 0)
		return -ENODEV;
	/* any attribute will do: the answer has the number of the first port */
	error = hd_umad_ask_attribute((unsigned)portnum, 0x11, 0, &answer);
	if (error)
		return error;
	if (snprintf(path, max > 0 ? (size_t)max : 0, ISSM_PATH "%u", answer.port) >= max)
		return -ENAMETOOLONG;
	return 0;
}

static int open_issm(const char *number)
{
	struct hd_ring_request request = { .operation = HD_RING_ISSM };
	struct hd_ring_answer answer;
	int fd = hd_umad_connect();
	int error = fd;

	request.port = (uint32_t)strtoul(number, NULL, 10);
	request.client = hd_ports_client(request.port);
	if (fd >= 0) {
		error = hd_umad_ask(fd, &request, &answer, NULL, 0);
		if (!error)
			return fd;
		close(fd);
	}
	errno = -error;
	return -1;
}

typedef int open_function(const char *path, int flags, ...);

static int open_path(const char *name, const char *path, int flags, mode_t mode)
{
	open_function *real;

	if (path && !strncmp(path, ISSM_PATH, strlen(ISSM_PATH)))
		return open_issm(path + strlen(ISSM_PATH));
	/* the way from dlsym() to a function that POSIX prescribes */
	*(void **)&real = dlsym(RTLD_NEXT, name);
	return real(path, flags, mode);
}

static bool has_mode(int flags)
{
	return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#undef open
HD_EXPORT int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (has_mode(flags))
		mode = va_arg(args, mode_t);
	va_end(args);
	return open_path("open", path, flags, mode);
}

HD_EXPORT int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (has_mode(flags))
		mode = va_arg(args, mode_t);
	va_end(args);
	return open_path("open64", path, flags, mode);
}
