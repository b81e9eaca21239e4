/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Marks functions that replace those of libibumad, or of the C library, for a program. */
#ifndef HD_UMAD_EXPORT_H
#define HD_UMAD_EXPORT_H

#define HD_EXPORT __attribute__((visibility("default")))

#endif
