// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/qos_view.h"

#include <stdlib.h>
#include <string.h>

#include "check/load.h"
#include "support/error.h"

/* The VLs that flows take out of @port. */
static uint16_t vls_in_use(const struct hd_load *load, uint32_t port)
{
	uint16_t vls = 0;

	for (unsigned vl = 0; vl < load->n_vls; vl++)
		if (load->flows[port * (size_t)load->n_vls + vl])
			vls |= (uint16_t)(1u << vl);
	return vls;
}

/* Packets of each VL: the largest of the classes that take it. */
static void set_packets(const struct hd_qos_view *view, uint8_t *packet)
{
	const struct hd_classes *classes = view->tables->classes;

	memset(packet, (int)(view->mtu / 64), HD_MAX_VLS);
	for (unsigned vl = 0; classes && vl < HD_MAX_VLS; vl++) {
		uint8_t largest = 0;

		for (unsigned c = 0; c < classes->n; c++)
			if (view->class_vls[c] >> vl & 1 && classes->list[c].packet > largest)
				largest = classes->list[c].packet;
		if (largest)
			packet[vl] = largest;
	}
}

static bool has_zero(const struct hd_vlarb_entry *entries, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!entries[i].weight)
			return true;
	return false;
}

static void judge(const struct hd_qos_view *view, struct hd_qos_kind *kind)
{
	uint8_t mtu[HD_MAX_VLS], own[HD_MAX_VLS];
	const uint64_t cap = view->cap;

	kind->cut = view->tables->vlarbs[kind->vlarb];
	kind->has_zero = has_zero(kind->cut.low, kind->cut.n_low) ||
			 has_zero(kind->cut.high, kind->cut.n_high);
	kind->is_cut = cap && (kind->cut.n_low > cap || kind->cut.n_high > cap);
	if (cap && kind->cut.n_low > cap)
		kind->cut.n_low = (uint8_t)cap;
	if (cap && kind->cut.n_high > cap)
		kind->cut.n_high = (uint8_t)cap;
	memset(mtu, (int)(view->mtu / 64), sizeof(mtu));
	set_packets(view, own);
	hd_vlarb_backlog(&kind->cut, kind->vls, mtu, &kind->mtu);
	hd_vlarb_backlog(&kind->cut, kind->vls, own, &kind->own);
	hd_vlarb_guarantee(&kind->cut, kind->vls, own, &kind->guarantee);
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		kind->starves |= kind->vls >> vl & 1 && kind->own.gap[vl] == UINT32_MAX;
}

static int add_port(struct hd_qos_view *view, uint32_t port, uint16_t vls, struct hd_error *err)
{
	const uint32_t vlarb = view->tables->vlarb_of_port[port];
	struct hd_qos_kind *grown;

	if (vlarb == HD_NONE) {
		if ((vls & (vls - 1)) && !view->n_unknown++)
			view->first_unknown = port;
		return 0;
	}
	for (size_t i = 0; i < view->n_kinds; i++)
		if (view->kinds[i].vlarb == vlarb && view->kinds[i].vls == vls) {
			view->kinds[i].n_ports++;
			return 0;
		}
	grown = realloc(view->kinds, (view->n_kinds + 1) * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	view->kinds = grown;
	view->kinds[view->n_kinds] =
		(struct hd_qos_kind){ .vlarb = vlarb, .vls = vls, .n_ports = 1, .first = port };
	judge(view, &view->kinds[view->n_kinds++]);
	return 0;
}

/* Sums up what the lanes of each class have, over all kinds. */
static void judge_classes(struct hd_qos_view *view)
{
	const struct hd_classes *classes = view->tables->classes;

	for (unsigned c = 0; classes && c < classes->n; c++) {
		view->least[c] = 1;
		for (size_t i = 0; i < view->n_kinds; i++) {
			const struct hd_qos_kind *kind = &view->kinds[i];
			double share = 0;

			if (!(kind->vls & view->class_vls[c]))
				continue;
			for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
				if (!(kind->vls & view->class_vls[c] & 1u << vl))
					continue;
				share += kind->own.share[vl];
				if (kind->own.gap[vl] > view->gap[c])
					view->gap[c] = kind->own.gap[vl];
			}
			if (share < view->least[c])
				view->least[c] = share;
			if (share > view->most[c])
				view->most[c] = share;
		}
	}
}

int hd_qos_look(struct hd_qos_view *view, uint32_t only, struct hd_error *err)
{
	const struct hd_check_options all = { 0 };
	const struct hd_classes *classes = view->tables->classes;
	struct hd_load load;
	int ret = hd_load_compute_classes(view->tables, &load, err);

	if (ret)
		return ret;
	for (unsigned c = 0; classes && c < classes->n; c++)
		view->class_vls[c] = (uint16_t)hd_class_vls(view->tables, c);
	for (uint32_t p = 0; !ret && p < view->tables->fabric->n_ports; p++) {
		const uint16_t vls = vls_in_use(&load, p);

		if ((only == HD_NONE || only == p) && vls)
			ret = add_port(view, p, vls, err);
	}
	hd_load_clear(&load);
	if (ret)
		return ret;
	judge_classes(view);
	ret = hd_check(view->tables, &all, &view->result, err);
	view->checked = !ret;
	view->has_bound = !ret && classes && only == HD_NONE;
	if (!view->has_bound)
		return ret;
	view->bound.tables = view->tables;
	view->bound.traffic = view->traffic;
	view->bound.traffic.cap = (unsigned)view->cap;
	return hd_qos_bound(&view->bound, err);
}

bool hd_qos_starves(const struct hd_qos_view *view)
{
	bool found = view->result.found[HD_CHECK_STARVED].n != 0;

	for (size_t i = 0; i < view->n_kinds; i++)
		found |= view->kinds[i].starves;
	return found;
}

bool hd_qos_waits(const struct hd_qos_view *view)
{
	for (unsigned c = 0; view->has_bound && c < view->tables->classes->n; c++)
		if (hd_qos_bound_fails(&view->bound, c))
			return true;
	return false;
}

void hd_qos_view_clear(struct hd_qos_view *view)
{
	if (view->checked)
		hd_check_clear(&view->result);
	free(view->kinds);
}
