/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Requests without an answer yet, by (port, class, transaction ID). Each ends once: by its answer,
 * because the sender withdraws it, or because the table gives it up and calls the user. The number
 * of requests is bounded: if there are too many, the table gives up the oldest.
 */
#ifndef HD_EMULATOR_TRANSACTIONS_H
#define HD_EMULATOR_TRANSACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "mad/mad.h"

struct hd_error;

#ifndef HD_TRANSACTIONS_MAX /* fuzzing takes fewer, to reach the last one */
#define HD_TRANSACTIONS_MAX 65536
#endif

struct hd_transactions;

struct hd_transaction {
	uint64_t id; /* as in the MAD */
	uint32_t port;
	uint32_t client;
	uint32_t generation; /* tells clients apart that had the same number */
	uint8_t mad_class;
};

/* A client that has a request, and is to answer. */
struct hd_transaction_server {
	uint32_t client;
	uint32_t generation;
};

/*
 * Calls @give_up for each request that gets no answer any more, with the MAD as it was sent. That
 * function must not call others of this table. HD_ENOMEM.
 */
int hd_transactions_new(struct hd_transactions **transactions,
			void (*give_up)(void *context, const struct hd_transaction *transaction,
					const struct hd_packet *request),
			void *context, struct hd_error *err);
void hd_transactions_free(struct hd_transactions *transactions);

/*
 * Adds @transaction as the newest, with @request. An equal entry is forgotten: the request was sent
 * again.
 */
void hd_transactions_add(struct hd_transactions *transactions,
			 const struct hd_transaction *transaction, const struct hd_packet *request);

/*
 * @server has the request now; it is given up when it is not answered at @deadline (ns;
 * UINT64_MAX: never).
 */
void hd_transactions_serve(struct hd_transactions *transactions,
			   const struct hd_transaction *transaction,
			   struct hd_transaction_server server, uint64_t deadline);

/* Which part an answer is, of those that come to one request. */
enum hd_answer_part {
	HD_ANSWER_WHOLE,   /* the only MAD: the request is forgotten with it */
	HD_ANSWER_FIRST,   /* the first segment */
	HD_ANSWER_FURTHER, /* a later segment */
	HD_ANSWER_NONE,    /* an ACK of a request that came in segments: the answer is to come */
};

/*
 * Fills in the asking client in @transaction. Candidates are the requests at its port with its
 * class and ID; those for which @is_there is false are forgotten. Of several, it is the oldest
 * without an answer, else the one that was answered last; with HD_ANSWER_FURTHER first the one
 * answered last. False: no client asked.
 */
bool hd_transactions_answer(struct hd_transactions *transactions,
			    struct hd_transaction *transaction, enum hd_answer_part part,
			    bool (*is_there)(void *context,
					     const struct hd_transaction *transaction),
			    void *context);

/* The whole answer of @server to a request of class @mad_class was lost: that is given up. */
void hd_transactions_lose_answer(struct hd_transactions *transactions,
				 struct hd_transaction_server server, unsigned mad_class,
				 uint64_t id);

/* Forgets the entry that is equal to @transaction. False: there is none. */
bool hd_transactions_remove(struct hd_transactions *transactions,
			    const struct hd_transaction *transaction);

/*
 * A client has left: its requests are forgotten, and requests that it has not answered are given
 * up.
 */
void hd_transactions_leave(struct hd_transactions *transactions,
			   struct hd_transaction_server client);

/* Gives up the requests whose deadline has come at @now. */
void hd_transactions_expire(struct hd_transactions *transactions, uint64_t now);

/* The first deadline; UINT64_MAX: there is none. */
uint64_t hd_transactions_next(const struct hd_transactions *transactions);

#endif
