// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For every run. */
#define HD_MACHINE_RUN      hd_machine_wide
#define HD_MACHINE_ADAPTIVE 0
#include "sim/model/machine.inc"
