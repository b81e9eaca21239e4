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
 * Opens the page at @path, makes its directory if that is missing, and locks the page. Readers see
 * that there is no agent yet. HD_EIO: the page cannot be written, or another agent writes it;
 * HD_ENOMEM.
 */
int hd_page_open(struct hd_page *page, const char *path, struct hd_error *err);

/*
 * Whether somebody removed the file, or replaced it by another: then only programs that have it
 * open see what is written.
 */
bool hd_page_is_gone(const struct hd_page *page);

/*
 * Writes @content, apart from its sequence and magic, for readers. If the page is gone, first tells
 * programs that have it open that there is no agent, then makes a new page. HD_EIO, HD_ENOMEM: the
 * next call tries again.
 */
int hd_page_write(struct hd_page *page, const struct hd_networks_page *content,
		  struct hd_error *err);

/* Tells readers that there is no agent, and closes. Does nothing if the page is not open. */
void hd_page_close(struct hd_page *page);

#endif
