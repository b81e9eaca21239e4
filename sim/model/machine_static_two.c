// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The same as machine_static.c for ports of two VLs. */
#define HD_MACHINE_RUN      hd_machine_static_two
#define HD_MACHINE_WORDS    1
#define HD_MACHINE_STATIC   1
#define HD_MACHINE_ADAPTIVE 0
#define HD_MACHINE_VOQNET   0
#define HD_MACHINE_VLS      2
#include "sim/model/machine.inc"
