/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The attributes of the performance management agent (16.1), a file for each group of them. */
#ifndef HD_EMULATOR_PMA_H
#define HD_EMULATOR_PMA_H

#include "simfabric/emulator/emulator.h"

/* A Get or Set whose header and PortSelect are accepted. */
struct hd_pma_request {
	struct hd_emulator *emulator;
	unsigned attribute;
	uint32_t first, last; /* the ports that it is about; several when all are selected */
	bool set;
	uint8_t *data; /* the attribute, 192 bytes; becomes the answer's */
};

/* Acts on a Get or Set for the end port @port and leaves the answer's data; returns its status. */
unsigned hd_pma_handle(struct hd_emulator *emulator, uint32_t port, struct hd_packet *packet,
		       bool set);

/* Each returns the status of the answer. */
unsigned hd_pma_class_port_info(struct hd_pma_request *request);
unsigned hd_pma_samples_control(struct hd_pma_request *request);
unsigned hd_pma_counters(struct hd_pma_request *request);
unsigned hd_pma_extended_counters(struct hd_pma_request *request);
unsigned hd_pma_details(struct hd_pma_request *request);

/*
 * The values of a port's counters when they were written: an attribute shows the difference, so
 * that each attribute can be cleared by itself and the counters themselves only grow.
 */
struct hd_pma_base {
	struct hd_vl_counters basic;    /* PortCounters: all VLs together */
	struct hd_vl_counters extended; /* PortCountersExtended */
	uint64_t unicast_xmit, unicast_rcv;
	uint64_t details[6][HD_EMULATOR_VLS]; /* [attribute][VL] for attributes of
					         hd_pma_details() that count */
};

/* The base of @port, all zero before its first write. */
const struct hd_pma_base *hd_pma_base(const struct hd_emulator *emulator, uint32_t port);

/* The same to write to; NULL: out of memory. */
struct hd_pma_base *hd_pma_base_write(struct hd_emulator *emulator, uint32_t port);

/* The counters of all VLs of @port together; a tick in which several VLs wait counts once. */
struct hd_vl_counters hd_pma_total(const struct hd_emulator *emulator, uint32_t port);

/* @value in @bits bits; larger values become the highest. */
static inline uint64_t hd_saturate(uint64_t value, unsigned bits)
{
	uint64_t most = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

	return value < most ? value : most;
}

#endif
