/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Link classes, which may differ in rate, length, buffers and VCs. */
#ifndef HD_TOPOLOGIES_LINK_CLASS_H
#define HD_TOPOLOGIES_LINK_CLASS_H

enum hd_link_class {
	HD_LINK_TERMINAL, /* to and from end nodes */
	HD_LINK_LOCAL,    /* between switches; if the topology has groups, within a group */
	HD_LINK_GLOBAL,   /* between groups */
	HD_LINK_CLASSES,
};

#endif
