// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A client of the rings that does what it can against the server, then stays until it is killed:
 *
 *	hostile_ring NAME garbage|full|deaf|dies|flood
 *
 * Prints "done" when the harm is done; dies and exits in the middle of what it writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "simfabric/emulator/ring_layout.h"

struct hostile {
	int socket, files[HD_RING_FILES];
	struct hd_ring_pair *rings;
	struct hd_ring_end in, out;
};

static void die(const char *what)
{
	fprintf(stderr, "hostile_ring: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void open_port(struct hostile *hostile, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct hd_ring_request request = { .version = HD_RING_VERSION, .operation = HD_RING_OPEN };
	struct hd_ring_answer answer;
	char control[CMSG_SPACE(HD_RING_FILES * sizeof(int))];
	struct iovec data = { &answer, sizeof(answer) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s:ring", name);

	hostile->socket = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	if (connect(hostile->socket, (struct sockaddr *)&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)))
		die("connect");
	if (send(hostile->socket, &request, sizeof(request), 0) < 0 ||
	    recvmsg(hostile->socket, &message, 0) != sizeof(answer) || answer.error ||
	    !CMSG_FIRSTHDR(&message))
		die("no port");
	memcpy(hostile->files, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(hostile->files));
	hostile->rings = mmap(NULL, sizeof(*hostile->rings), PROT_READ | PROT_WRITE, MAP_SHARED,
			      hostile->files[0], 0);
	if (hostile->rings == MAP_FAILED)
		die("mmap");
	hostile->in.ring = &hostile->rings->to_client;
	hostile->out.ring = &hostile->rings->to_server;
}

static void ask(struct hostile *hostile, bool wake)
{
	struct hd_packet packet = { .dlid = 0xFFFF };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, 0x11);
	hd_put32(packet.mad + HD_SMP_DR_SLID, UINT32_MAX);
	if (hd_ring_write(&hostile->out, HD_RING_PACKET, &packet) && wake)
		eventfd_write(hostile->files[1], 1);
}

/* Takes its time: the server goes through its rings meanwhile. */
static void ask_many(struct hostile *hostile, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		ask(hostile, true);
		hd_ring_sleep(&hostile->in);
		usleep(100);
	}
}

static void fill(int fd)
{
	const uint64_t many = UINT64_MAX - 1;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, &many, sizeof(many)) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

int main(int argc, char **argv)
{
	struct hostile hostile = { 0 };
	const char *what = argc == 3 ? argv[2] : "";

	if (argc != 3)
		die("usage: hostile_ring NAME garbage|full|deaf|dies|flood");
	open_port(&hostile, argv[1]);
	if (!strcmp(what, "garbage")) {
		ask(&hostile, true);
		hostile.rings->to_client.read = 1u << 31;
		hostile.rings->to_server.written = UINT32_MAX / 3;
		memset(hostile.rings->to_server.slots, 0xA5,
		       sizeof(hostile.rings->to_server.slots));
		eventfd_write(hostile.files[1], 1);
	} else if (!strcmp(what, "full")) {
		/* the wakes that the server sends are never read, whatever they go through */
		ask_many(&hostile, HD_RING_SLOTS / 2);
		ask(&hostile, true);
		for (unsigned i = 1; i < HD_RING_FILES; i++)
			fill(hostile.files[i]);
		ask(&hostile, false);
	} else if (!strcmp(what, "deaf")) {
		ask_many(&hostile, HD_RING_SLOTS);
		for (unsigned i = 0; i < HD_RING_SLOTS / 2; i++)
			ask(&hostile, true);
	} else if (!strcmp(what, "dies")) {
		for (unsigned i = 0; i < HD_RING_SLOTS - 1; i++)
			ask(&hostile, i == 0);
		hostile.rings->to_server.slots[0].kind = UINT32_MAX;
		abort();
	} else if (!strcmp(what, "flood")) {
		puts("done");
		fflush(stdout);
		for (;;) {
			eventfd_write(hostile.files[1], 1);
			if (hd_ring_room(&hostile.out) - 1 < HD_RING_SLOTS)
				ask(&hostile, false);
			atomic_store(&hostile.rings->to_client.read,
				     atomic_load(&hostile.rings->to_client.written));
		}
	} else {
		die("what?");
	}
	puts("done");
	fflush(stdout);
	for (;;)
		pause();
}
