/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that zstd packs while they are written; support/unpack.h reads them. */
#ifndef HD_SUPPORT_PACK_H
#define HD_SUPPORT_PACK_H

#include <stdbool.h>
#include <stdio.h>

/* Whether this build can pack. */
bool hd_pack_is_there(void);

/*
 * A stream whose bytes go to @file, packed; fclose() ends the packed file and closes @file too.
 * NULL (with errno): out of memory, or this build cannot pack; @file stays the caller's then.
 */
FILE *hd_pack_open(FILE *file);

#endif
