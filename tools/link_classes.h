/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Link classes, by which `heddle show load` and `heddle show resources` split their figures. */
#ifndef HD_TOOLS_LINK_CLASSES_H
#define HD_TOOLS_LINK_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"

struct hd_error;

/* A link in one direction, by the port that sends into it. */
enum hd_load_class {
	HD_LOAD_NONE,      /* the port has no link */
	HD_LOAD_INJECTION, /* from an end node */
	HD_LOAD_TERMINAL,  /* from a switch to an end node */
	HD_LOAD_LOCAL,     /* within a group of a dragonfly */
	HD_LOAD_GLOBAL,    /* between groups */
	HD_LOAD_SWITCH,    /* between switches, where no dragonfly is recognised */
	HD_N_LOAD_CLASSES,
};

extern const char *const hd_load_class_names[HD_N_LOAD_CLASSES];

/* The class of every port of @fabric, [n_ports], to be freed by the caller. HD_ENOMEM. */
int hd_load_classes(const struct hd_fabric *fabric, uint8_t **classes, struct hd_error *err);

#endif
