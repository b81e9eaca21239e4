/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The history of an emulated fabric, as a file (docs/formats.md, "Histories"): the fabric, what its
 * nodes held at first, and then everything that happened to links, LIDs and tables, with its time,
 * the old values and the new ones. The memory in use is as large as the data of the nodes.
 *
 * An event is in the file when the function that caused it returns, so a killed emulator leaves a
 * file that can be read.
 */
#ifndef HD_EMULATOR_HISTORY_WRITER_H
#define HD_EMULATOR_HISTORY_WRITER_H

#include "simfabric/emulator/emulator.h"

struct hd_history;

/*
 * Begins a history of @emulator at @path, whose former contents are lost. HD_EIO; HD_EINVAL: the
 * fabric cannot be written as a netfile; HD_ENOMEM.
 */
int hd_history_start(struct hd_emulator *emulator, const char *path, struct hd_history **history,
		     struct hd_error *err);

/*
 * Ends it, before @emulator is freed. HD_EIO, HD_ENOMEM: something could not be written, and the
 * file ends before it. @history may be NULL.
 */
int hd_history_end(struct hd_history *history, struct hd_error *err);

#endif
