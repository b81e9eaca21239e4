/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs that a signal ends. */
#ifndef HD_SUPPORT_ENDED_H
#define HD_SUPPORT_ENDED_H

/*
 * From now on SIGHUP, SIGINT and SIGTERM, where they end the process, first remove temporary files
 * (support/temporary.h). For programs alone: a library leaves signals to its program.
 */
void hd_ended_remove_temporary(void);

#endif
