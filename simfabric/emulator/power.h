/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes that are switched off and on. */
#ifndef HD_EMULATOR_POWER_H
#define HD_EMULATOR_POWER_H

#include "simfabric/emulator/emulator.h"

/*
 * Turns @node off, or on again as after power-up (LID, tables and counters lost); false: it is off,
 * or on, already.
 */
bool hd_node_off(struct hd_emulator *emulator, uint32_t node);
bool hd_node_on(struct hd_emulator *emulator, uint32_t node);

#endif
