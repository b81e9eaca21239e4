// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For switches of up to 64 ports whose packets choose their ways. */
#define HD_MACHINE_RUN      hd_machine_adaptive
#define HD_MACHINE_WORDS    1
#define HD_MACHINE_ADAPTIVE 1
#define HD_MACHINE_VOQNET   0
#include "sim/model/machine.inc"
