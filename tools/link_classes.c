// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/link_classes.h"

#include <stdlib.h>

#include "support/error.h"
#include "topologies/dragonfly.h"

const char *const hd_load_class_names[HD_N_LOAD_CLASSES] = {
	[HD_LOAD_NONE] = "none",         [HD_LOAD_INJECTION] = "injection",
	[HD_LOAD_TERMINAL] = "terminal", [HD_LOAD_LOCAL] = "local",
	[HD_LOAD_GLOBAL] = "global",     [HD_LOAD_SWITCH] = "switch",
};

static enum hd_load_class class_of(const struct hd_fabric *fabric,
				   const struct hd_dragonfly *dragonfly, uint32_t p)
{
	const struct hd_port *port = &fabric->ports[p];

	if (port->peer == HD_NONE)
		return HD_LOAD_NONE;
	if (!hd_is_switch(fabric, port->node))
		return HD_LOAD_INJECTION;
	if (!hd_is_switch(fabric, fabric->ports[port->peer].node))
		return HD_LOAD_TERMINAL;
	if (!dragonfly)
		return HD_LOAD_SWITCH;
	return dragonfly->port_class[p] == HD_PORT_GLOBAL ? HD_LOAD_GLOBAL : HD_LOAD_LOCAL;
}

int hd_load_classes(const struct hd_fabric *fabric, uint8_t **classes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	int ret;

	*classes = malloc(fabric->n_ports + (size_t)1);
	if (!*classes)
		return hd_error_nomem(err);
	ret = hd_dragonfly_recognise(fabric, NULL, &dragonfly, err);
	if (ret && ret != HD_EREFUSED) {
		free(*classes);
		*classes = NULL;
		return ret;
	}
	hd_for_each_port(p, fabric)
		(*classes)[p] = (uint8_t)class_of(fabric, dragonfly, p);
	hd_dragonfly_free(dragonfly);
	return 0;
}
