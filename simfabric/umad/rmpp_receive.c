// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/rmpp.h"

void hd_rmpp_receive_start(struct hd_rmpp_receive *receive, unsigned mad_class)
{
	*receive = (struct hd_rmpp_receive){
		.offset = hd_rmpp_data_offset(mad_class),
		.window = HD_RMPP_WINDOW,
	};
}

void hd_rmpp_receive_free(struct hd_rmpp_receive *receive)
{
	free(receive->data);
	receive->data = NULL;
	receive->size = 0;
}

static uint64_t start_of(const struct hd_rmpp_receive *receive, uint32_t number)
{
	return receive->offset + (uint64_t)(number - 1) * (HD_MAD_SIZE - receive->offset);
}

/* Puts the data of segment @number in its place. Memory grows only with data that arrived. */
static bool store(struct hd_rmpp_receive *receive, uint32_t number, const uint8_t *mad)
{
	uint64_t start = start_of(receive, number);
	uint64_t needed = start_of(receive, number + 1);

	if (needed > INT32_MAX)
		return false; /* umad_recv() counts in int */
	if (needed > receive->size) {
		uint64_t size = needed < HD_MAD_SIZE * 16 ? HD_MAD_SIZE * 16 : 2 * needed;
		uint8_t *grown = realloc(receive->data, size);

		if (!grown)
			return false;
		/* segments that come out of order leave gaps until they are filled */
		memset(grown + receive->size, 0, size - receive->size);
		receive->data = grown;
		receive->size = size;
	}
	if (number == 1)
		memcpy(receive->data, mad, receive->offset);
	memcpy(receive->data + start, mad + receive->offset, HD_MAD_SIZE - receive->offset);
	return true;
}

/* Checks a segment's flags and length against what is known of the message. */
static enum hd_rmpp_status judge(struct hd_rmpp_receive *receive, const uint8_t *mad,
				 uint32_t number)
{
	bool last = mad[HD_RMPP_FLAGS] & HD_RMPP_FLAG_LAST;
	uint32_t class_header = receive->offset - HD_RMPP_PAYLOAD;
	uint32_t payload = hd_get32(mad + HD_RMPP_LENGTH);

	if (mad[HD_RMPP_STATUS] != HD_RMPP_NORMAL)
		return HD_RMPP_BAD_STATUS;
	if (!(mad[HD_RMPP_FLAGS] & HD_RMPP_FLAG_FIRST) != (number != 1))
		return HD_RMPP_BAD_FIRST;
	if (receive->last && (number > receive->last || last != (number == receive->last)))
		return HD_RMPP_BAD_LAST;
	if (!last)
		return HD_RMPP_NORMAL;
	/* no segment behind the last one may have come */
	if (receive->ahead >> (number - receive->received - 1) > 1)
		return HD_RMPP_BAD_LAST;
	receive->last = number;
	/* an impossible length means a full segment, as in the Linux kernel */
	receive->last_payload = payload >= class_header && payload <= HD_RMPP_CAPACITY
					? payload - class_header
					: HD_RMPP_CAPACITY - class_header;
	return HD_RMPP_NORMAL;
}

static void advance(struct hd_rmpp_receive *receive)
{
	while (receive->ahead & 1) {
		receive->received++;
		receive->ahead >>= 1;
	}
}

struct hd_rmpp_reply hd_rmpp_receive_segment(struct hd_rmpp_receive *receive, const uint8_t *mad)
{
	uint32_t number = hd_get32(mad + HD_RMPP_SEGMENT);
	struct hd_rmpp_reply reply = { .segment = receive->received, .window = receive->window };

	if (receive->complete || (number && number <= receive->acknowledged)) {
		/* the last ACK was lost, or this segment was overtaken */
		reply.acknowledge = true;
		return reply;
	}
	if (!number) {
		reply.abort = HD_RMPP_BAD_FIRST;
		return reply;
	}
	if (number > receive->window || number <= receive->received ||
	    receive->ahead >> (number - receive->received - 1) & 1)
		return reply;
	reply.abort = judge(receive, mad, number);
	if (reply.abort == HD_RMPP_NORMAL && !store(receive, number, mad))
		reply.abort = HD_RMPP_RESOURCES;
	if (reply.abort != HD_RMPP_NORMAL)
		return reply;

	reply.progress = true;
	receive->ahead |= UINT64_C(1) << (number - receive->received - 1);
	advance(receive);
	if (receive->last && receive->received == receive->last) {
		receive->complete = reply.complete = true;
		receive->length = start_of(receive, receive->last) + receive->last_payload;
	} else if (receive->received < receive->window && receive->acknowledged) {
		return reply;
	}
	/* the first segment is acknowledged at once, so that the sender learns of the window */
	if (receive->received == receive->acknowledged)
		return reply;
	receive->window = receive->received + HD_RMPP_WINDOW;
	receive->acknowledged = receive->received;
	reply.acknowledge = true;
	reply.segment = receive->received;
	reply.window = receive->window;
	return reply;
}
