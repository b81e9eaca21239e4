/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Mail: what crosses a link between two domains (domains.h), packets in one direction and their
 * credits in the other. The sender's thread writes mail, and the receiver's thread takes it when
 * the sender's window is over. Then mail joins the receiver's delay lines where its own events
 * would stand: events of a tick come line by line in a divided model, too.
 */
#ifndef HD_MODEL_MAIL_H
#define HD_MODEL_MAIL_H

#include "sim/adaptive/routing.h"
#include "sim/model/state.h"

/* Events in the order of their times, all of one delay line. */
struct hd_mail_list {
	struct hd_event *events;
	size_t n, size;
	unsigned line;
};

struct hd_bytes;

/* What packets that choose their paths have beside themselves. */
struct hd_mail_choice {
	struct hd_header header;
	uint32_t number; /* if their order is counted */
};

/* From one domain to another, by the class of the links. */
struct hd_mails {
	struct hd_mail_list arrivals[HD_LINK_CLASSES];   /* `b` is not set */
	struct packet *packets[HD_LINK_CLASSES];         /* [arrivals[class].size] */
	struct hd_mail_choice *choices[HD_LINK_CLASSES]; /* the same; NULL: packets go by the
							    tables */
	struct hd_mail_list credits[HD_LINK_CLASSES];
	struct hd_mail_list early; /* credits that are known early, in any order, of no line */
	uint64_t first;            /* the earliest time in the mail; UINT64_MAX: there is no mail */
	bool is_late;              /* some came before the horizon: the run is invalid */
};

/* Empties @mails, and keeps its memory. */
void hd_mails_empty(struct hd_mails *mails);
void hd_mails_free(struct hd_mails *mails);

/* Sends packet @index on the link of @out; @index is no packet afterwards. */
void hd_mail_packet(struct hd_model *model, uint32_t out, uint32_t index);

/* Sends back the credit of @units of @vl that leave in-port @in now. */
void hd_mail_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t units);

/* The same if they leave in the future: the credit is there after @delay. */
void hd_mail_early_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t units,
			  uint64_t delay);

/*
 * For domains of other processes: writes @mails into @bytes, and reads them from there, with
 * choices where packets @choose their paths. If memory is lacking, @bytes has failed.
 */
void hd_mails_write(const struct hd_mails *mails, bool choose, struct hd_bytes *bytes);
void hd_mails_read(struct hd_mails *mails, bool choose, struct hd_bytes *bytes);

/* Posts the events of @mails, which another domain sent to @model and will empty. */
void hd_mails_take(struct hd_model *model, struct hd_mails *mails);

#endif
