/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The writer's side of host/networks.h. */
#ifndef HD_HOST_PAGE_H
#define HD_HOST_PAGE_H

#include <stdbool.h>

#include "host/networks.h"

struct hd_error;

struct hd_page {
	char *path;
	int file; /* locked while it is open; -1: none */
	uint32_t sequence;
};

/*
 * Opens the page at @path, with its directory where that is missing, and keeps others from writing
 * it. What readers see is that there is no agent yet. HD_EIO: it cannot be written, or another agent
 * writes it; HD_ENOMEM.
 */
int hd_page_open(struct hd_page *page, const char *path, struct hd_error *err);

/*
 * Whether somebody removed the file, or put another in its place: what is written is then seen by those
 * alone who have it open.
 */
bool hd_page_is_gone(const struct hd_page *page);

/*
 * Gives @content, whose sequence and magic do not matter, to readers; makes a page that is gone anew,
 * after telling those who have it open that there is no agent. HD_EIO, HD_ENOMEM: the next call tries
 * again.
 */
int hd_page_write(struct hd_page *page, const struct hd_networks_page *content,
		  struct hd_error *err);

/* Tells readers that there is no agent, and closes. Harmless after a failure to open. */
void hd_page_close(struct hd_page *page);

#endif
