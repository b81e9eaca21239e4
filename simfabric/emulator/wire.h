/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of ibsim's wire protocol, as Debian's libumad2sim speaks it (docs/emulator.md, "Wire
 * protocol"). Pure functions of bytes: for any contents, they read nothing beyond the end of a
 * message.
 */
#ifndef HD_EMULATOR_WIRE_H
#define HD_EMULATOR_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simfabric/emulator/emulator.h"

#define HD_WIRE_CONTROL_SIZE    80
#define HD_WIRE_CONTROL_PAYLOAD 64
#define HD_WIRE_DATA_SIZE       288
#define HD_WIRE_NODE_SIZE       32 /* of a node's name, padded with NULs */

#define HD_WIRE_TIMED_OUT 110 /* status of a request that was lost: Linux' ETIMEDOUT */

/* What a client asks for on its control socket. */
enum hd_wire_type {
	HD_WIRE_ERROR,
	HD_WIRE_CONNECT,
	HD_WIRE_DISCONNECT,
	HD_WIRE_GET_PORT,     /* u16 LID, u8 state */
	HD_WIRE_GET_VENDOR,   /* u32 vendor, u32 part, u32 hardware version, u64 firmware version */
	HD_WIRE_GET_GID,      /* 16 bytes, network order */
	HD_WIRE_GET_GUID,     /* 8 bytes, network order */
	HD_WIRE_GET_NODEINFO, /* 64 bytes, the attribute */
	HD_WIRE_GET_PORTINFO, /* 64 bytes, the attribute; the first byte asks for a port number */
	HD_WIRE_SET_ISSM,     /* i32 */
	HD_WIRE_GET_PKEYS,    /* 64 bytes, the first block of the P_Key table */
};

/* A control message, both ways; numbers are in host order on the wire. */
struct hd_wire_control {
	uint32_t client; /* the client's number, as the answer to HD_WIRE_CONNECT gave it */
	uint32_t type;
	uint32_t length; /* bytes of @data that are used */
	uint8_t data[HD_WIRE_CONTROL_PAYLOAD];
};

/* The data of HD_WIRE_CONNECT, both ways. */
struct hd_wire_connect {
	uint32_t address; /* asked: the process' ID, or the UDP port of its data socket;
			     answered: the client's number */
	uint32_t qp;
	uint32_t issm;
	char node[HD_WIRE_NODE_SIZE + 1]; /* asked: SIM_HOST; answered: the same, or the node's
					     name */
};

/* False: not a control message. */
bool hd_wire_read_control(const void *bytes, size_t size, struct hd_wire_control *control);
void hd_wire_write_control(const struct hd_wire_control *control,
			   uint8_t bytes[HD_WIRE_CONTROL_SIZE]);

void hd_wire_read_connect(const struct hd_wire_control *control, struct hd_wire_connect *connect);
void hd_wire_write_connect(const struct hd_wire_connect *connect, struct hd_wire_control *control);

/* One MAD; False: not a data message. */
bool hd_wire_read_data(const void *bytes, size_t size, struct hd_packet *packet);
void hd_wire_write_data(const struct hd_packet *packet, uint32_t status,
			uint8_t bytes[HD_WIRE_DATA_SIZE]);

#endif
