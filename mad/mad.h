/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Management datagrams: where their fields are, and how to read and write them. InfiniBand
 * Architecture Specification, volume 1, chapters 13 (MADs), 14 (subnet management) and 16.1
 * (performance management). Everything on the wire is big-endian.
 */
#ifndef HD_MAD_MAD_H
#define HD_MAD_MAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HD_MAD_SIZE 256

/* Every MAD (13.4.2) */
#define HD_MAD_BASE_VERSION  0
#define HD_MAD_CLASS         1
#define HD_MAD_CLASS_VERSION 2
#define HD_MAD_METHOD        3
#define HD_MAD_STATUS        4
#define HD_MAD_TID           8
#define HD_MAD_ATTRIBUTE     16
#define HD_MAD_MODIFIER      20

/* SMPs (14.2.1): LID routed ones leave the direction, hops and paths unused */
#define HD_SMP_HOP_POINTER  6
#define HD_SMP_HOP_COUNT    7
#define HD_SMP_MKEY         24
#define HD_SMP_DR_SLID      32
#define HD_SMP_DR_DLID      34
#define HD_SMP_DATA         64
#define HD_SMP_DATA_SIZE    64
#define HD_SMP_INITIAL_PATH 128
#define HD_SMP_RETURN_PATH  192
#define HD_SMP_MAX_HOPS     64
#define HD_SMP_DIRECTION    0x8000 /* in the status field: on the way back */

/* Subnet administration (15.2.1.1) */
#define HD_SA_OFFSET 44 /* from one record to the next, in 8-byte words */
#define HD_SA_MASK   48 /* bits for the components of the query that are compared */
#define HD_SA_DATA   56

/* Performance management (16.1): data of every attribute */
#define HD_PM_DATA      64
#define HD_PM_DATA_SIZE 192

/* The RMPP header (13.6.2) */
#define HD_RMPP_VERSION  24
#define HD_RMPP_TYPE     25
#define HD_RMPP_FLAGS    26 /* the high five bits: response time */
#define HD_RMPP_STATUS   27
#define HD_RMPP_SEGMENT  28 /* of data; of ACKs: the last one received */
#define HD_RMPP_LENGTH   32 /* of data; of ACKs: the highest segment that may be sent */
#define HD_RMPP_PAYLOAD  36
#define HD_RMPP_CAPACITY (HD_MAD_SIZE - HD_RMPP_PAYLOAD)

#define HD_RMPP_FLAG_ACTIVE 1
#define HD_RMPP_FLAG_FIRST  2
#define HD_RMPP_FLAG_LAST   4

enum hd_rmpp_type {
	HD_RMPP_DATA = 1,
	HD_RMPP_ACK,
	HD_RMPP_STOP,
	HD_RMPP_ABORT,
};

enum hd_mad_class {
	HD_CLASS_SMI = 0x01,
	HD_CLASS_SA = 0x03,
	HD_CLASS_PM = 0x04,
	HD_CLASS_BM = 0x05,
	HD_CLASS_CM = 0x07,
	HD_CLASS_CC = 0x21,
	HD_CLASS_SMI_DIRECT = 0x81,
};

enum hd_mad_method {
	HD_METHOD_GET = 0x01,
	HD_METHOD_SET = 0x02,
	HD_METHOD_SEND = 0x03,
	HD_METHOD_TRAP = 0x05,
	HD_METHOD_REPORT = 0x06,
	HD_METHOD_TRAP_REPRESS = 0x07,
	HD_METHOD_GET_TABLE = 0x12,
	HD_METHOD_RESPONSE = 0x80, /* the bit; GetResp is RESPONSE | GET */
};

/* Attributes of subnet management (14.2.5) */
enum hd_smp_attribute {
	HD_ATTRIBUTE_NOTICE = 0x02,
	HD_ATTRIBUTE_NODE_DESCRIPTION = 0x10,
	HD_ATTRIBUTE_NODE_INFO = 0x11,
	HD_ATTRIBUTE_SWITCH_INFO = 0x12,
	HD_ATTRIBUTE_GUID_INFO = 0x14,
	HD_ATTRIBUTE_PORT_INFO = 0x15,
	HD_ATTRIBUTE_PKEY_TABLE = 0x16,
	HD_ATTRIBUTE_SL2VL_TABLE = 0x17,
	HD_ATTRIBUTE_VLARB_TABLE = 0x18,
	HD_ATTRIBUTE_LINEAR_TABLE = 0x19,
	HD_ATTRIBUTE_MULTICAST_TABLE = 0x1B,
	HD_ATTRIBUTE_HIERARCHY_INFO = 0x1E,
	HD_ATTRIBUTE_SM_INFO = 0x20,
	HD_ATTRIBUTE_VENDOR_DIAG = 0x30,
	HD_ATTRIBUTE_GENERAL_INFO = 0xFF17, /* these five of Mellanox: adaptive routing */
	HD_ATTRIBUTE_AR_INFO = 0xFF20,
	HD_ATTRIBUTE_AR_GROUP_TABLE = 0xFF21,
	HD_ATTRIBUTE_AR_LINEAR_TABLE = 0xFF23,
	HD_ATTRIBUTE_HBF_CONFIG = 0xFF24,
	HD_ATTRIBUTE_EXTENDED_PORT_INFO = 0xFF90, /* of Mellanox: FDR10 */
	HD_ATTRIBUTE_EXTENDED_NODE_INFO = 0xFF91, /* these two of Mellanox's switches */
	HD_ATTRIBUTE_EXTENDED_SWITCH_INFO = 0xFF92,
};

/* Status codes (13.4.7) */
enum hd_mad_status {
	HD_STATUS_OK = 0,
	HD_STATUS_BUSY = 0x0001,
	HD_STATUS_REDIRECT = 0x0002,
	HD_STATUS_BAD_VERSION = 0x0004,   /* also: the class is not supported */
	HD_STATUS_BAD_METHOD = 0x0008,    /* the method is not supported */
	HD_STATUS_BAD_ATTRIBUTE = 0x000C, /* the method and attribute together are not supported */
	HD_STATUS_BAD_FIELD = 0x001C,     /* a field of the attribute or its modifier is invalid */
};

static inline uint16_t hd_get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap16(v);
}

static inline uint32_t hd_get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap32(v);
}

static inline uint64_t hd_get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

static inline void hd_put16(uint8_t *p, uint16_t v)
{
	v = __builtin_bswap16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void hd_put32(uint8_t *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void hd_put64(uint8_t *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

/* A MAD under way, with the contents of its link headers, in host order. */
struct hd_packet {
	uint16_t slid, dlid; /* 0xFFFF: permissive, the far end of the next link */
	uint32_t sqp, dqp;   /* 0: the SMI, on VL 15; 1: the GSI */
	uint8_t sl;
	uint32_t origin; /* the client that sent the MAD, to which the answer goes; HD_NONE: an
			    agent */
	uint16_t length; /* of the MAD, up to HD_MAD_SIZE, 0: HD_MAD_SIZE; clients count records by
			    it */
	uint8_t mad[HD_MAD_SIZE];
};

static inline uint8_t hd_mad_method(const struct hd_packet *packet)
{
	return packet->mad[HD_MAD_METHOD];
}

static inline unsigned hd_mad_attribute(const struct hd_packet *packet)
{
	return hd_get16(packet->mad + HD_MAD_ATTRIBUTE);
}

/* Where the data of a class begins; the class can use RMPP if this is not HD_RMPP_VERSION. */
static inline unsigned hd_rmpp_data_offset(unsigned mad_class)
{
	if (mad_class == HD_CLASS_SA)
		return 56;
	if (mad_class == 0x06 || mad_class == 0x10 || mad_class == 0x12)
		return 64; /* device management, device administration, boot management */
	if (mad_class >= 0x30 && mad_class <= 0x4F)
		return 40; /* vendors' with an OUI */
	return HD_RMPP_VERSION;
}

static inline bool hd_rmpp_is_class(unsigned mad_class)
{
	return hd_rmpp_data_offset(mad_class) > HD_RMPP_VERSION;
}

/* Whether @mad, which is of a class that can use RMPP, uses it. */
static inline bool hd_rmpp_is_active(const uint8_t *mad)
{
	return hd_rmpp_is_class(mad[HD_MAD_CLASS]) && (mad[HD_RMPP_FLAGS] & HD_RMPP_FLAG_ACTIVE);
}

#endif
