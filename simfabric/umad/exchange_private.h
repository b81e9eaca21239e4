/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of the exchange share: exchange.c, receptions.c, sends.c and deliveries.c. */
#ifndef HD_UMAD_EXCHANGE_PRIVATE_H
#define HD_UMAD_EXCHANGE_PRIVATE_H

#include "simfabric/umad/exchange.h"
#include "simfabric/umad/rmpp.h"

/* A sent message that waits for its response, or for the ACKs of its segments. */
struct hd_send {
	struct hd_send *next;           /* the next one of its bucket, or of those not in use */
	struct hd_send *sooner, *later; /* by deadline */
	uint64_t deadline;
	uint32_t agent;
	uint32_t timeout_ms;
	uint32_t retries, retries_left;
	struct hd_rmpp_send rmpp; /* data is NULL when all segments are acknowledged */
	struct hd_packet packet;  /* the only MAD, or the header of the message */
};

/* sends.c */

/* Whether @mad belongs to a request that was sent: by 13.4.5, and as the Linux kernel decides. */
bool hd_is_response(const uint8_t *mad);

/* The message that waits for the response @mad; NULL: none. */
struct hd_send *hd_find_send(const struct hd_exchange *exchange, const uint8_t *mad);
void hd_send_remove(struct hd_exchange *exchange, struct hd_send *send);

/* Gives up @send, and tells the program. */
void hd_send_fail(struct hd_exchange *exchange, struct hd_send *send);

/* Makes @send wait at least its timeout from @now on. */
void hd_send_extend(struct hd_exchange *exchange, struct hd_send *send, uint64_t now);
void hd_sends_acknowledge(struct hd_exchange *exchange, const struct hd_packet *ack, uint64_t now);
void hd_sends_abort(struct hd_exchange *exchange, const struct hd_packet *abort);
void hd_sends_advance(struct hd_exchange *exchange, uint64_t now);
void hd_sends_remove_agent(struct hd_exchange *exchange, uint32_t agent);
void hd_sends_free(struct hd_exchange *exchange);

/* Sends an RMPP packet without data to the sender of @packet. */
void hd_answer_rmpp(struct hd_exchange *exchange, const struct hd_packet *packet,
		    enum hd_rmpp_type type, enum hd_rmpp_status status, uint32_t segment,
		    uint32_t window);

/* receptions.c */

/* An RMPP packet for @agent. */
void hd_receptions_receive(struct hd_exchange *exchange, uint32_t agent,
			   const struct hd_packet *packet, uint64_t now);
void hd_receptions_advance(struct hd_exchange *exchange, uint64_t now);
uint64_t hd_receptions_next(const struct hd_exchange *exchange);
void hd_receptions_remove_agent(struct hd_exchange *exchange, uint32_t agent);
void hd_receptions_free(struct hd_exchange *exchange);

/* deliveries.c */

/* A new message with the header of @packet, at the end of the ready ones; NULL: out of memory. */
struct hd_umad_message *hd_umad_message_add(struct hd_exchange *exchange, uint32_t agent,
					    const struct hd_packet *packet);

#endif
