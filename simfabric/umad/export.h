/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a program finds here instead of in libibumad, or in the C library. */
#ifndef HD_UMAD_EXPORT_H
#define HD_UMAD_EXPORT_H

#define HD_EXPORT __attribute__((visibility("default")))

#endif
