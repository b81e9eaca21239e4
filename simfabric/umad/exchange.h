/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exchange does what the kernel's MAD layer does between a program and its port: agents,
 * transactions that wait for their responses, repetitions, RMPP. It knows neither sockets nor
 * clocks: packets come in with hd_exchange_receive() and go out with transmit(), and callers give
 * times (ns). One thread at a time.
 *
 * Functions return 0 or a negative errno value, as umad's do.
 */
#ifndef HD_UMAD_EXCHANGE_H
#define HD_UMAD_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mad/mad.h"

#define HD_EXCHANGE_AGENTS  32
#define HD_EXCHANGE_BUCKETS 1024
/* Serials count modulo this, so that they fit the upper half of an ID together with an agent. */
#define HD_EXCHANGE_SERIALS ((UINT32_MAX - HD_EXCHANGE_AGENTS) / HD_EXCHANGE_AGENTS)

struct hd_agent {
	bool used;
	uint8_t mad_class;
	uint8_t class_version;
	bool rmpp;           /* the exchange makes segments, not the program */
	uint32_t oui;        /* of classes 0x30 .. 0x4F */
	uint64_t methods[2]; /* methods of unsolicited MADs that the agent takes */
};

/* A message that a program sends. */
struct hd_outgoing {
	uint32_t agent;
	uint16_t dlid;
	uint32_t dqp;
	uint8_t sl, path_bits;
	const uint8_t *data;
	uint32_t length;
	uint32_t timeout_ms; /* for the response; 0: none is expected */
	uint32_t retries;
};

/* A message that a program is to receive. */
struct hd_umad_message {
	struct hd_umad_message *next;
	uint32_t agent;
	int status; /* 0, or ETIMEDOUT: this message was sent and not answered */
	uint16_t lid;
	uint32_t qpn;
	uint8_t sl, path_bits;
	uint32_t length;
	uint8_t *data; /* inline, or of a long message */
	uint8_t mad[HD_MAD_SIZE];
};

struct hd_send;
struct hd_reception;
struct hd_received;

struct hd_exchange {
	/*
	 * Makes transaction IDs differ from those of other programs, also of programs that have
	 * ended: their servers remember them for a while.
	 */
	uint32_t serial;
	void (*transmit)(void *context, const struct hd_packet *packet);
	void *context;

	/* The rest is private. */
	struct hd_agent agents[HD_EXCHANGE_AGENTS];

	struct hd_send *buckets[HD_EXCHANGE_BUCKETS]; /* by transaction ID */
	struct hd_send *soonest, *latest;             /* by deadline */
	struct hd_send *spare_sends;

	struct hd_reception *receptions; /* messages of which segments are missing */
	unsigned n_receptions;
	struct hd_received *received[HD_EXCHANGE_BUCKETS]; /* whole messages, by transaction ID */
	struct hd_received *oldest, *newest;               /* of these whole messages */
	unsigned n_received;

	struct hd_umad_message *ready, **ready_end;
	struct hd_umad_message *spare_messages;
};

void hd_exchange_init(struct hd_exchange *exchange, uint32_t serial,
		      void (*transmit)(void *context, const struct hd_packet *packet),
		      void *context);
void hd_exchange_free(struct hd_exchange *exchange);

/* The number of the agent; -EPERM: another takes one of the methods; -ENOMEM: too many. */
int hd_exchange_register(struct hd_exchange *exchange, const struct hd_agent *agent);
int hd_exchange_unregister(struct hd_exchange *exchange, uint32_t agent);

/* The methods of @mad_class that agents take, all together. */
void hd_exchange_methods(const struct hd_exchange *exchange, unsigned mad_class,
			 uint64_t methods[2]);

/* -EINVAL: no such agent, or not a message; -ENOMEM. */
int hd_exchange_send(struct hd_exchange *exchange, const struct hd_outgoing *outgoing,
		     uint64_t now);

/* A packet arrived; any bytes. */
void hd_exchange_receive(struct hd_exchange *exchange, const struct hd_packet *packet,
			 uint64_t now);

/* A packet that was sent was lost: a request need not wait for its timeout. */
void hd_exchange_lost(struct hd_exchange *exchange, const struct hd_packet *packet, uint64_t now);

/* A packet that transmit() had to hold back goes out now: its timeout begins. */
void hd_exchange_sent(struct hd_exchange *exchange, const struct hd_packet *packet, uint64_t now);

/* All requests without a response fail now: nobody carries packets any more. */
void hd_exchange_fail_all(struct hd_exchange *exchange);

/*
 * Lets time pass. hd_exchange_next() tells when this has something to do next; UINT64_MAX: never.
 */
void hd_exchange_advance(struct hd_exchange *exchange, uint64_t now);
uint64_t hd_exchange_next(const struct hd_exchange *exchange);

/* Takes the first message off exchange->ready; for hd_umad_message_free(). */
struct hd_umad_message *hd_exchange_take(struct hd_exchange *exchange);
void hd_umad_message_free(struct hd_exchange *exchange, struct hd_umad_message *message);

#endif
