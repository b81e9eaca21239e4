// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Mail as bytes, for domains of other processes. All of them are of one program, on equal machines.
 */
#include <stdlib.h>

#include "sim/model/mail.h"
#include "support/bytes.h"
#include "support/memory.h"

/* Before its events. */
struct list_head {
	uint64_t n;
	uint32_t line;
};

static void write_list(const struct hd_mail_list *list, struct hd_bytes *bytes)
{
	const struct list_head head = { list->n, list->line };

	hd_bytes_put(bytes, &head, sizeof(head));
	hd_bytes_put(bytes, list->events, list->n * sizeof(*list->events));
}

void hd_mails_write(const struct hd_mails *mails, bool choose, struct hd_bytes *bytes)
{
	hd_bytes_put(bytes, &mails->first, sizeof(mails->first));
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		size_t n = mails->arrivals[i].n;

		write_list(&mails->arrivals[i], bytes);
		hd_bytes_put(bytes, mails->packets[i], n * sizeof(*mails->packets[i]));
		if (choose)
			hd_bytes_put(bytes, mails->choices[i], n * sizeof(*mails->choices[i]));
		write_list(&mails->credits[i], bytes);
	}
	write_list(&mails->early, bytes);
}

/* Makes room for @n events; with @packets, also for these, and for @choices unless that is NULL. */
static bool make_room(struct hd_mail_list *list, size_t n, struct packet **packets,
		      struct hd_mail_choice **choices)
{
	if (n <= list->size)
		return true;
	free(list->events);
	list->events = malloc(n * sizeof(*list->events));
	if (packets) {
		free(*packets);
		*packets = hd_alloc_large(n * sizeof(**packets));
	}
	if (choices) {
		free(*choices);
		*choices = malloc(n * sizeof(**choices));
	}
	list->size = n;
	if (list->events && (!packets || *packets) && (!choices || *choices))
		return true;
	list->size = 0;
	return false;
}

/* False: there is no memory, and nothing more can be read. */
static bool read_list(struct hd_mail_list *list, struct packet **packets,
		      struct hd_mail_choice **choices, struct hd_bytes *bytes)
{
	struct list_head head;

	list->n = 0;
	if (!hd_bytes_get(bytes, &head, sizeof(head)))
		return false;
	if (!make_room(list, head.n, packets, choices)) {
		bytes->failed = true;
		return false;
	}
	list->line = head.line;
	if (hd_bytes_get(bytes, list->events, head.n * sizeof(*list->events)))
		list->n = head.n;
	return !bytes->failed;
}

static bool read_class(struct hd_mails *mails, unsigned i, bool choose, struct hd_bytes *bytes)
{
	struct hd_mail_list *arrivals = &mails->arrivals[i];

	if (!read_list(arrivals, &mails->packets[i], choose ? &mails->choices[i] : NULL, bytes))
		return false;
	if (arrivals->n)
		hd_bytes_get(bytes, mails->packets[i], arrivals->n * sizeof(*mails->packets[i]));
	if (arrivals->n && choose)
		hd_bytes_get(bytes, mails->choices[i], arrivals->n * sizeof(*mails->choices[i]));
	return read_list(&mails->credits[i], NULL, NULL, bytes);
}

void hd_mails_read(struct hd_mails *mails, bool choose, struct hd_bytes *bytes)
{
	bool goes_on = hd_bytes_get(bytes, &mails->first, sizeof(mails->first));

	for (unsigned i = 0; i < HD_LINK_CLASSES && goes_on; i++)
		goes_on = read_class(mails, i, choose, bytes);
	if (!goes_on || !read_list(&mails->early, NULL, NULL, bytes))
		hd_mails_empty(mails);
}
