/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A copy of what sma_ar.h has of a switch, which tells what has changed since: for copy.h. */
#ifndef HD_EMULATOR_COPY_AR_H
#define HD_EMULATOR_COPY_AR_H

#include <stdio.h>

#include "simfabric/emulator/sma_ar.h"

/* Writes the beginning of a line; @context is the caller's. */
typedef FILE *(*hd_copy_ar_line)(void *context);

/*
 * Writes the lines of what differs between @old and @now (NULL: as after power-up), of a switch
 * with @n_ports ports, and copies @now. False: out of memory.
 */
bool hd_copy_ar_compare(struct hd_switch_ar *old, const struct hd_switch_ar *now, unsigned n_ports,
			hd_copy_ar_line line, void *context);

/* Frees what the copy has. */
void hd_copy_ar_clear(struct hd_switch_ar *old);

#endif
