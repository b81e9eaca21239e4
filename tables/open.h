/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What users give for a FABRIC. */
#ifndef HD_TABLES_OPEN_H
#define HD_TABLES_OPEN_H

#include <stdbool.h>

#include "fabric/fabric.h"

struct hd_reading;

/*
 * Whether @what is a spec, or is meant to be one: a mistyped one is told as a wrong spec, and not
 * as a missing file. What exists as a file is none.
 */
bool hd_fabric_is_spec(const char *what);

/*
 * The fabric that @what names: "-" (a netfile on standard input), a snapshot directory, a netfile,
 * or a spec (hd_fabric_is_spec()), read as @how says (fabric/reading.h).
 * HD_EIO, HD_EPARSE, HD_EINVAL, HD_ERANGE, HD_ENOMEM.
 */
int hd_fabric_open(const char *what, const struct hd_reading *how, struct hd_fabric **fabric,
		   struct hd_error *err);

#endif
