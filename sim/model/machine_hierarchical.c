// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For hierarchical switches of up to 64 ports, links of one rate: see state.h. */
#define HD_MACHINE_RUN          hd_machine_hierarchical
#define HD_MACHINE_WORDS        1
#define HD_MACHINE_STATIC       1
#define HD_MACHINE_ADAPTIVE     0
#define HD_MACHINE_VOQNET       0
#define HD_MACHINE_HIERARCHICAL 1
#include "sim/model/machine_hierarchical.h"
#include "sim/model/machine.inc"
