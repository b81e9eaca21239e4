/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Patterns in which every host has one destination: data is uint32_t[host], HD_NONE for a host that
 * sends nothing because it would send to itself.
 */
#ifndef HD_TRAFFIC_FIXED_H
#define HD_TRAFFIC_FIXED_H

#include "sim/traffic/pattern.h"

/* The array, for init() to fill. HD_ENOMEM. */
int hd_fixed_new(uint32_t n_hosts, void **data, uint32_t **to, struct hd_error *err);

/* Silences hosts that would send to themselves. HD_EINVAL: these are all hosts. */
int hd_fixed_done(uint32_t n_hosts, uint32_t *to, struct hd_error *err);

uint32_t hd_fixed_class_of(const void *data, uint32_t host);
uint32_t hd_fixed_destination(const void *data, struct hd_source *source);

#endif
