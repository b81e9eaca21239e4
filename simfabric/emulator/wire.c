// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/wire.h"

#define MAGIC 0xdeadbeefu

/* Where the fields of a control message are; in host order. */
enum {
	CONTROL_MAGIC = 0,
	CONTROL_CLIENT = 4,
	CONTROL_TYPE = 8,
	CONTROL_LENGTH = 12,
	CONTROL_DATA = 16,
};

enum {
	CONNECT_ADDRESS = 0,
	CONNECT_QP = 4,
	CONNECT_ISSM = 8,
	CONNECT_NODE = 12,
};

/* Where those of a data message are; in network order. */
enum {
	DATA_DLID = 0,
	DATA_SLID = 4,
	DATA_DQP = 8,
	DATA_SQP = 12,
	DATA_STATUS = 16,
	DATA_LENGTH = 24,
	DATA_MAD = 32,
};

static uint32_t read_host(const uint8_t *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return v;
}

static void write_host(uint8_t *bytes, uint32_t v)
{
	memcpy(bytes, &v, sizeof(v));
}

bool hd_wire_read_control(const void *bytes, size_t size, struct hd_wire_control *control)
{
	const uint8_t *at = bytes;

	if (size != HD_WIRE_CONTROL_SIZE || read_host(at + CONTROL_MAGIC) != MAGIC)
		return false;
	control->client = read_host(at + CONTROL_CLIENT);
	control->type = read_host(at + CONTROL_TYPE);
	control->length = read_host(at + CONTROL_LENGTH);
	memcpy(control->data, at + CONTROL_DATA, sizeof(control->data));
	return control->length <= sizeof(control->data);
}

void hd_wire_write_control(const struct hd_wire_control *control,
			   uint8_t bytes[HD_WIRE_CONTROL_SIZE])
{
	write_host(bytes + CONTROL_MAGIC, MAGIC);
	write_host(bytes + CONTROL_CLIENT, control->client);
	write_host(bytes + CONTROL_TYPE, control->type);
	write_host(bytes + CONTROL_LENGTH, control->length);
	memcpy(bytes + CONTROL_DATA, control->data, sizeof(control->data));
}

void hd_wire_read_connect(const struct hd_wire_control *control, struct hd_wire_connect *connect)
{
	connect->address = read_host(control->data + CONNECT_ADDRESS);
	connect->qp = read_host(control->data + CONNECT_QP);
	connect->issm = read_host(control->data + CONNECT_ISSM);
	memcpy(connect->node, control->data + CONNECT_NODE, HD_WIRE_NODE_SIZE);
	connect->node[HD_WIRE_NODE_SIZE] = '\0';
}

void hd_wire_write_connect(const struct hd_wire_connect *connect, struct hd_wire_control *control)
{
	memset(control->data, 0, sizeof(control->data));
	write_host(control->data + CONNECT_ADDRESS, connect->address);
	write_host(control->data + CONNECT_QP, connect->qp);
	write_host(control->data + CONNECT_ISSM, connect->issm);
	/* clients print the name as a string: its last byte stays NUL */
	memcpy(control->data + CONNECT_NODE, connect->node,
	       strnlen(connect->node, HD_WIRE_NODE_SIZE - 1));
	control->length = CONNECT_NODE + HD_WIRE_NODE_SIZE;
}

bool hd_wire_read_data(const void *bytes, size_t size, struct hd_packet *packet)
{
	const uint8_t *at = bytes;
	uint64_t length;

	if (size != HD_WIRE_DATA_SIZE)
		return false;
	length = hd_get64(at + DATA_LENGTH);
	if (length > HD_MAD_SIZE)
		return false;
	packet->dlid = hd_get16(at + DATA_DLID);
	packet->slid = hd_get16(at + DATA_SLID);
	packet->dqp = hd_get32(at + DATA_DQP);
	packet->sqp = hd_get32(at + DATA_SQP);
	packet->sl = 0; /* the message does not have the SL */
	packet->origin = HD_NONE;
	packet->length = (uint16_t)length;
	memcpy(packet->mad, at + DATA_MAD, length);
	memset(packet->mad + length, 0, HD_MAD_SIZE - length);
	return true;
}

void hd_wire_write_data(const struct hd_packet *packet, uint32_t status,
			uint8_t bytes[HD_WIRE_DATA_SIZE])
{
	bool whole = !packet->length || packet->length > HD_MAD_SIZE;

	memset(bytes, 0, DATA_MAD);
	hd_put16(bytes + DATA_DLID, packet->dlid);
	hd_put16(bytes + DATA_SLID, packet->slid);
	hd_put32(bytes + DATA_DQP, packet->dqp);
	hd_put32(bytes + DATA_SQP, packet->sqp);
	hd_put32(bytes + DATA_STATUS, status);
	hd_put64(bytes + DATA_LENGTH, whole ? HD_MAD_SIZE : packet->length);
	memcpy(bytes + DATA_MAD, packet->mad, HD_MAD_SIZE);
}
