/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Questions to the agents of a live fabric, with libibumad: subnet management packets by LID or to
 * the own port, performance management, and queries of the SA. Many questions are under way at
 * once, and answers come in any order.
 */
#ifndef HD_LIVE_MADS_H
#define HD_LIVE_MADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_mads;

struct hd_mads_options {
	const char *adapter; /* "mlx5_0"; NULL: the first with an active port */
	int port;            /* port number of the adapter; 0: the first active one */
	uint64_t m_key;
	unsigned timeout_ms; /* for one answer */
	unsigned tries;      /* at least 1 */
	unsigned window;     /* questions under way at once, 1 .. HD_MADS_MAX_WINDOW */
};

#define HD_MADS_MAX_WINDOW 64

enum hd_mads_class {
	HD_MADS_SMP, /* to the agent of `lid` */
	HD_MADS_SA,  /* to the subnet administration, wherever it is */
	HD_MADS_OWN, /* to the subnet management agent of the own port, which may have no LID */
	HD_MADS_PM,  /* to the performance management agent of `lid` */
	HD_MADS_CLASSES,
};

/* SubnGet(), SubnAdmGet(), SubnAdmGetTable(), PerformanceGet() or PerformanceSet(). */
struct hd_mads_question {
	enum hd_mads_class class;
	bool table; /* SubnAdmGetTable(); the answer may need RMPP */
	bool set;   /* PerformanceSet() */
	uint16_t attribute;
	uint32_t modifier;
	uint16_t lid;     /* HD_MADS_SMP, HD_MADS_PM */
	uint64_t mask;    /* HD_MADS_SA: the component mask */
	uint8_t data[64]; /* of the attribute; the rest of the MAD is 0 */
	const char *what; /* "LinearForwardingTable", for messages */
	uint64_t tag;     /* for the caller */
};

struct hd_mads_answer {
	uint16_t status;     /* of the MAD; 0: good */
	const uint8_t *data; /* of the attribute, or of all records of a table */
	size_t size;         /* bytes of `data` */
	size_t record_size;  /* bytes from one record of a table to the next */
};

/* Status: the agent supports neither the method nor the attribute; or the SA knows no record. */
#define HD_MADS_UNSUPPORTED(status) (((status)&0x1C) == 0x08 || ((status)&0x1C) == 0x0C)
#define HD_MADS_NO_RECORDS(status)  (((status)&0xFF00) == 0x0300)

/* Who asks questions. */
struct hd_mads_user {
	/* The next question in @question (zeroed before); false: there is none. */
	bool (*next)(void *context, struct hd_mads_question *question);
	/* Returns 0, or an error that ends the asking. */
	int (*answer)(void *context, const struct hd_mads_question *question,
		      const struct hd_mads_answer *answer, struct hd_error *err);
	void *context;
};

/* HD_EIO: no such adapter or port, no permission; HD_EINVAL; HD_ENOMEM. */
int hd_mads_open(const struct hd_mads_options *options, struct hd_mads **mads,
		 struct hd_error *err);
void hd_mads_close(struct hd_mads *mads);

/*
 * Asks all of @user's questions. HD_EIO: an agent does not answer, or a device fails; what answer()
 * returns; HD_ENOMEM.
 */
int hd_mads_ask(struct hd_mads *mads, const struct hd_mads_user *user, struct hd_error *err);

/* What a port tells without a question. */
struct hd_mads_port {
	char adapter[64];
	unsigned number;
};

struct hd_mads_port hd_mads_port(const struct hd_mads *mads);

/*
 * Asks @question alone. @status gets the status of the answer; @data gets its data, at most @size
 * bytes, and zeros behind. Errors as of hd_mads_ask().
 */
int hd_mads_ask_one(struct hd_mads *mads, const struct hd_mads_question *question, uint16_t *status,
		    uint8_t *data, size_t size, struct hd_error *err);

#endif
