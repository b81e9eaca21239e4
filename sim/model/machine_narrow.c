// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For switches whose ports fit a word. */
#define HD_MACHINE_RUN      hd_machine_narrow
#define HD_MACHINE_WORDS    1
#define HD_MACHINE_ADAPTIVE 0
#define HD_MACHINE_VOQNET   0
#include "sim/model/machine.inc"
