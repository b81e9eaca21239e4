// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/umad/connection.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_TIMEOUT_MS 10000
#define MAX_FILES         HD_RING_FILES

int hd_umad_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *name = getenv("IBSIM_SOCKNAME");
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s:ring",
			      name && *name ? name : "sim");
	int fd, error;

	if ((size_t)length >= sizeof(address.sun_path) - 1)
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (!connect(fd, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)))
		return fd;
	error = errno;
	close(fd);
	return -error;
}

static int receive_answer(int socket, struct hd_ring_answer *answer, int *files, unsigned n)
{
	union {
		char buffer[CMSG_SPACE(MAX_FILES * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec data = { .iov_base = answer, .iov_len = sizeof(*answer) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.buffer,
		.msg_controllen = sizeof(control.buffer),
	};
	struct pollfd wait = { .fd = socket, .events = POLLIN };
	struct cmsghdr *header;
	ssize_t received;
	unsigned got = 0;
	int ready;

	do
		ready = poll(&wait, 1, ANSWER_TIMEOUT_MS);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return ready ? -errno : -ETIMEDOUT;
	received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	if (received < 0)
		return -errno;
	for (header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
		int sent[MAX_FILES];

		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		got = (unsigned)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(sent, CMSG_DATA(header), got * sizeof(int));
		for (unsigned i = 0; i < got; i++)
			if (n == got)
				files[i] = sent[i];
			else
				close(sent[i]);
	}
	if (received == sizeof(*answer) && answer->version == HD_RING_VERSION &&
	    (answer->error || got == n))
		return -(int)answer->error;
	for (unsigned i = 0; got == n && i < n; i++)
		close(files[i]);
	return received ? -EPROTO : -ECONNRESET;
}

int hd_umad_ask(int socket, struct hd_ring_request *request, struct hd_ring_answer *answer,
		int *files, unsigned n)
{
	const char *host = getenv("SIM_HOST");

	request->version = HD_RING_VERSION;
	snprintf(request->host, sizeof(request->host), "%s", host ? host : "");
	if (send(socket, request, sizeof(*request), MSG_NOSIGNAL) != (ssize_t)sizeof(*request))
		return errno ? -errno : -EIO;
	return receive_answer(socket, answer, files, n);
}

int hd_umad_ask_attribute(unsigned port, unsigned attribute, uint32_t modifier,
			  struct hd_ring_answer *answer)
{
	struct hd_ring_request request = {
		.operation = HD_RING_GET,
		.client = HD_NO_CLIENT,
		.port = port,
		.attribute = attribute,
		.modifier = modifier,
	};
	int fd = hd_umad_connect();
	int error;

	if (fd < 0)
		return fd;
	error = hd_umad_ask(fd, &request, answer, NULL, 0);
	close(fd);
	return error;
}
