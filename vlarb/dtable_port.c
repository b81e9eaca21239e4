// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/dtable_port.h"

#include <stdbool.h>

void hd_dtable_begin(const struct hd_dtable_plan *plan, struct hd_dtable_port *port)
{
	*port = (struct hd_dtable_port){ .entry = (uint16_t)(plan->n - 1),
					 .class = HD_DTABLE_NOBODY };
}

/* Those of @vls that are of @class. */
static uint32_t vls_of(const struct hd_dtable_plan *plan, unsigned class, uint32_t vls)
{
	uint32_t own = 0;

	for (; vls; vls &= vls - 1) {
		const unsigned vl = (unsigned)__builtin_ctz(vls);

		own |= plan->class_of[vl] == class ? UINT32_C(1) << vl : 0;
	}
	return own;
}

/* A bit for each class that has one of @vls. */
static uint32_t classes_of(const struct hd_dtable_plan *plan, uint32_t vls)
{
	uint32_t classes = 0;

	for (; vls; vls &= vls - 1)
		classes |= UINT32_C(1) << plan->class_of[__builtin_ctz(vls)];
	return classes;
}

/* Whether the class that is served goes on; otherwise it is served no more. */
static bool goes_on(const struct hd_dtable_plan *plan, struct hd_dtable_port *port, uint32_t vls,
		    uint32_t waiting)
{
	const unsigned class = port->class;

	if (class == HD_DTABLE_NOBODY)
		return false;
	if (vls_of(plan, class, vls) && port->may_send >= plan->packets[class])
		return true;
	port->left[class] = vls_of(plan, class, vls | waiting) ? port->may_send : 0;
	port->class = HD_DTABLE_NOBODY;
	return false;
}

/*
 * The next entry of a class that can send serves it. A class whose packets are longer than @plan
 * says may have sent more than it had: it waits until that is made up for.
 */
static void take_entry(const struct hd_dtable_plan *plan, struct hd_dtable_port *port, uint32_t vls)
{
	const uint32_t classes = classes_of(plan, vls);

	do {
		const struct hd_dtable_entry *entry;

		port->entry = port->entry + 1 == (int)plan->n ? 0 : port->entry + 1;
		entry = &plan->entries[port->entry];
		if (!(classes >> entry->class & 1))
			continue;
		port->left[entry->class] += entry->weight;
		if (port->left[entry->class] <= 0)
			continue;
		port->class = entry->class;
		port->may_send = port->left[entry->class];
		port->left[entry->class] = 0;
	} while (port->class == HD_DTABLE_NOBODY);
}

unsigned hd_dtable_serve(const struct hd_dtable_plan *plan, struct hd_dtable_port *port,
			 uint32_t vls, uint32_t waiting)
{
	uint32_t own, later;
	unsigned vl;

	if (!goes_on(plan, port, vls, waiting))
		take_entry(plan, port, vls);
	own = vls_of(plan, port->class, vls);
	later = own & ~((UINT32_C(2) << port->turn[port->class]) - 1);
	vl = (unsigned)__builtin_ctz(later ? later : own);
	port->turn[port->class] = (uint8_t)vl;
	return vl;
}
