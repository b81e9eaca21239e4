/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The hosts on which an application runs. */
#ifndef HD_TRAFFIC_APPLICATION_HOSTS_H
#define HD_TRAFFIC_APPLICATION_HOSTS_H

#include "sim/traffic/pattern.h"

/*
 * Option "hosts" of @setup: "0..31+40..71", "random:64", all where there is none. @host_of gets the
 * hosts of processes 0 to @n - 1 in the order of the list, then all other hosts; the caller frees
 * it. HD_EINVAL: no such list, a host twice, fewer than two; HD_ERANGE: hosts that do not exist;
 * HD_ENOMEM.
 */
int hd_application_hosts(const struct hd_pattern_setup *setup, uint32_t **host_of, uint32_t *n,
			 struct hd_error *err);

/* Takes @host; false: it was taken before. */
typedef bool (*hd_host_take)(void *context, uint32_t host);

/* The hosts of a list "0..31+40..71", in its order. HD_EINVAL, HD_ERANGE as above. */
int hd_application_list(const char *text, uint32_t n_hosts, hd_host_take take, void *context,
			struct hd_error *err);

#endif
