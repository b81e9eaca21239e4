// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The same as machine_adaptive_cioq.c for ports of three VLs. */
#define HD_MACHINE_RUN      hd_machine_adaptive_cioq_three
#define HD_MACHINE_WORDS    1
#define HD_MACHINE_STATIC   1
#define HD_MACHINE_ADAPTIVE 1
#define HD_MACHINE_VOQNET   0
#define HD_MACHINE_CIOQ     1
#define HD_MACHINE_VLS      3
#include "sim/model/machine_cioq.h"
#include "sim/model/machine.inc"
