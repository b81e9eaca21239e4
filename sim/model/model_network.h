/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The network of a model: ports, forwarding, hosts. */
#ifndef HD_MODEL_MODEL_NETWORK_H
#define HD_MODEL_MODEL_NETWORK_H

#include "sim/model/state.h"

/*
 * Numbers the ports with links, and makes hosts and the forwarding of switches. HD_ERANGE,
 * HD_ENOMEM.
 */
int hd_model_make_network(struct hd_model *model, struct hd_error *err);

/*
 * Sets model->n_vls, the VCs of a port, and model->used_vls: those that packets can use by the
 * tables, or by the options. HD_EINVAL: the tables use more than a class of links has; HD_ERANGE.
 */
int hd_model_count_vcs(struct hd_model *model, struct hd_error *err);

/* Lowers @n, a number of VLs from 0, to those that packets between hosts can use. HD_ENOMEM. */
int hd_model_host_vls(const struct hd_model *model, unsigned *n, struct hd_error *err);

/* enum hd_link_class of the link at @port of the fabric. */
unsigned hd_model_link_class(const struct hd_model *model, uint32_t port);

#endif
