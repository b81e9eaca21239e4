/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who asked: requests that have no answer yet, by (port, class, transaction ID). Their number is
 * bounded: the oldest is forgotten when there are too many.
 */
#ifndef HD_EMULATOR_TRANSACTIONS_H
#define HD_EMULATOR_TRANSACTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;

#define HD_TRANSACTIONS_MAX 65536

struct hd_transactions;

struct hd_transaction {
	uint64_t id; /* as in the MAD */
	uint32_t port;
	uint32_t client;
	uint32_t generation; /* tells clients apart that had the same number */
	uint8_t mad_class;
};

/* HD_ENOMEM. */
int hd_transactions_new(struct hd_transactions **transactions, struct hd_error *err);
void hd_transactions_free(struct hd_transactions *transactions);

/* Remembers @transaction as the newest; an entry that is equal to it is forgotten. */
void hd_transactions_add(struct hd_transactions *transactions,
			 const struct hd_transaction *transaction);

/* Which part an answer is, of those that come to one request. */
enum hd_answer_part {
	HD_ANSWER_WHOLE,   /* the only MAD: the request is forgotten with it */
	HD_ANSWER_FIRST,   /* the first segment */
	HD_ANSWER_FURTHER, /* a later segment */
	HD_ANSWER_NONE,    /* an ACK of a request that came in segments: the answer is to come */
};

/*
 * Fills in, in @transaction, who asked: of the requests at its port with its class and ID, those
 * for which @is_there is true; the others are forgotten. Of several, it is the oldest that was not
 * answered yet, else the one that was answered last; with HD_ANSWER_FURTHER the other way round.
 * False: nobody asked.
 */
bool hd_transactions_answer(struct hd_transactions *transactions,
			    struct hd_transaction *transaction, enum hd_answer_part part,
			    bool (*is_there)(void *context,
					     const struct hd_transaction *transaction),
			    void *context);

/* Forgets the entry that is equal to @transaction. */
void hd_transactions_remove(struct hd_transactions *transactions,
			    const struct hd_transaction *transaction);

#endif
