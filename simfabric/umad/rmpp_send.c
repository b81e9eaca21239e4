// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/rmpp.h"

void hd_rmpp_answer(const uint8_t *mad, enum hd_rmpp_type type, enum hd_rmpp_status status,
		    uint32_t segment, uint32_t window, uint8_t answer[HD_MAD_SIZE])
{
	memset(answer, 0, HD_MAD_SIZE);
	memcpy(answer, mad, hd_rmpp_data_offset(mad[HD_MAD_CLASS]));
	answer[HD_MAD_METHOD] ^= HD_METHOD_RESPONSE;
	answer[HD_RMPP_VERSION] = 1;
	answer[HD_RMPP_TYPE] = (uint8_t)type;
	answer[HD_RMPP_FLAGS] = HD_RMPP_FLAG_ACTIVE;
	answer[HD_RMPP_STATUS] = (uint8_t)status;
	hd_put32(answer + HD_RMPP_SEGMENT, segment);
	hd_put32(answer + HD_RMPP_LENGTH, window);
}

bool hd_rmpp_send_start(struct hd_rmpp_send *send, const uint8_t *data, uint32_t length)
{
	uint32_t offset, capacity, payload;

	if (length < HD_RMPP_PAYLOAD)
		return false;
	offset = hd_rmpp_data_offset(data[HD_MAD_CLASS]);
	if (length < offset)
		return false;
	capacity = HD_MAD_SIZE - offset;
	payload = length - offset;
	*send = (struct hd_rmpp_send){
		.data = malloc(length),
		.length = length,
		.offset = offset,
		.n_segments = payload ? (payload - 1) / capacity + 1 : 1,
		.window = 1,
	};
	if (!send->data)
		return false;
	memcpy(send->data, data, length);
	return true;
}

void hd_rmpp_send_free(struct hd_rmpp_send *send)
{
	free(send->data);
	send->data = NULL;
}

bool hd_rmpp_send_next(struct hd_rmpp_send *send, uint8_t mad[HD_MAD_SIZE])
{
	uint32_t capacity = HD_MAD_SIZE - send->offset;
	uint32_t number = send->sent + 1;
	/* the header of the class counts in every segment */
	uint32_t class_header = send->offset - HD_RMPP_PAYLOAD;
	uint32_t start, n;
	uint8_t flags = HD_RMPP_FLAG_ACTIVE;
	uint64_t payload = 0;

	if (number > send->window || number > send->n_segments)
		return false;
	start = send->offset + (number - 1) * capacity;
	n = send->length - start < capacity ? send->length - start : capacity;
	memset(mad, 0, HD_MAD_SIZE);
	memcpy(mad, send->data, send->offset);
	memcpy(mad + send->offset, send->data + start, n);
	if (number == 1) {
		flags |= HD_RMPP_FLAG_FIRST;
		payload = (uint64_t)send->n_segments * class_header + send->length - send->offset;
	}
	if (number == send->n_segments) {
		flags |= HD_RMPP_FLAG_LAST;
		payload = class_header + n;
	}
	mad[HD_RMPP_VERSION] = 1;
	mad[HD_RMPP_TYPE] = HD_RMPP_DATA;
	mad[HD_RMPP_FLAGS] = (send->data[HD_RMPP_FLAGS] & 0xF8) | flags;
	mad[HD_RMPP_STATUS] = HD_RMPP_NORMAL;
	hd_put32(mad + HD_RMPP_SEGMENT, number);
	hd_put32(mad + HD_RMPP_LENGTH, payload > UINT32_MAX ? 0 : (uint32_t)payload);
	send->sent = number;
	return true;
}

enum hd_rmpp_verdict hd_rmpp_send_acknowledge(struct hd_rmpp_send *send, const uint8_t *ack,
					      enum hd_rmpp_status *status)
{
	uint32_t segment = hd_get32(ack + HD_RMPP_SEGMENT);
	uint32_t window = hd_get32(ack + HD_RMPP_LENGTH);

	*status = HD_RMPP_NORMAL;
	if (send->acknowledged == send->n_segments)
		return HD_RMPP_IGNORE;
	if (ack[HD_RMPP_STATUS] != HD_RMPP_NORMAL)
		*status = HD_RMPP_BAD_STATUS;
	else if (window < segment)
		*status = HD_RMPP_WINDOW_TOO_SMALL;
	else if (segment > send->n_segments)
		*status = HD_RMPP_SEGMENT_TOO_BIG;
	if (*status != HD_RMPP_NORMAL)
		return HD_RMPP_FAILED;
	if (segment < send->acknowledged || window < send->window)
		return HD_RMPP_IGNORE; /* a later ACK has overtaken this one */
	if (segment == send->acknowledged && window == send->window)
		return HD_RMPP_IGNORE;
	send->acknowledged = segment;
	send->window = window;
	if (send->sent < segment)
		send->sent = segment; /* the segment was sent before a timeout that came too
				         early */
	return segment == send->n_segments ? HD_RMPP_DONE : HD_RMPP_GO_ON;
}

void hd_rmpp_send_again(struct hd_rmpp_send *send)
{
	send->sent = send->acknowledged;
}
