/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What `heddle show` can show: each subject is a function on an open snapshot, listed in
 * tools/cmd_show.c.
 */
#ifndef HD_TOOLS_CMD_SHOW_H
#define HD_TOOLS_CMD_SHOW_H

#include <stdbool.h>

#include "tables/snapshot.h"

struct hd_error;

struct hd_show {
	const struct hd_snapshot *snapshot;
	const char *const *words; /* the arguments behind the subject: nodes and ports */
	int n_words;
	int sl;            /* the argument of --sl; -1: the SL of the path record */
	const char *class; /* the argument of --class; NULL: that of packets without one */
	bool json;
};

/*
 * Each prints to stdout. HD_ENOTFOUND, HD_EINVAL, HD_ERANGE: no such node or port; HD_EREFUSED: the
 * answer is no (a path that leads nowhere; stdout has the reason); HD_ENOMEM.
 */
int hd_show_path(const struct hd_show *show, struct hd_error *err);  /* SRC DST */
int hd_show_lft(const struct hd_show *show, struct hd_error *err);   /* SWITCH */
int hd_show_sl2vl(const struct hd_show *show, struct hd_error *err); /* NODE [IN OUT] */
int hd_show_vlarb(const struct hd_show *show, struct hd_error *err); /* NODE PORT */
int hd_show_ar(const struct hd_show *show, struct hd_error *err);    /* SWITCH */
int hd_show_load(const struct hd_show *show, struct hd_error *err);
int hd_show_resources(const struct hd_show *show, struct hd_error *err);

#endif
