/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What users give for a FABRIC. */
#ifndef HD_TABLES_OPEN_H
#define HD_TABLES_OPEN_H

#include "fabric/fabric.h"

struct hd_reading;

/*
 * The fabric that @what names: "-" (a netfile on standard input), a snapshot directory, a netfile,
 * or a spec, read as @how says (fabric/reading.h). What exists as a file is not taken for a spec.
 * HD_EIO, HD_EPARSE, HD_EINVAL, HD_ERANGE, HD_ENOMEM.
 */
int hd_fabric_open(const char *what, const struct hd_reading *how, struct hd_fabric **fabric,
		   struct hd_error *err);

#endif
