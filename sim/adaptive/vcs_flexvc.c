// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * FlexVC: a packet takes any VC of its link's class from which the rest of its way still embeds in
 * the sequence; flexvc.h says which these are. Without a sequence it is any VL up to the tables'
 * one at this hop, whose layers are to ascend along every way (proof_tables.h); vcs=V gives ports
 * V, of which the layers have the last ones.
 */
#include <stdio.h>
#include <string.h>

#include "fabric/fabric.h"
#include "sim/adaptive/flexvc.h"
#include "sim/adaptive/ways.h"
#include "support/error.h"
#include "support/text.h"

static const struct hd_option options[] = {
	{ "sequence", NULL, "",
	  "none: any VL up to the tables' (minimal alone), with vcs=V of V, the tables' being the "
	  "last ones; L/G, of L local and G global VCs, 2/1 "
	  "at least: 2/1, 3/2, 4/2 or 5/2, and what is more "
	  "goes in front; N, of N local ones; or their order, \"l g l\"; with those of replies, "
	  "which may use all, 4/2+2/1" },
	{ 0 },
};

/* "8/4": the longest sequence of the literature that has as many, and the others in front. */
static bool add_numbers(struct hd_vcs *vcs, const char *text)
{
	const struct hd_vcs_known *known = NULL;
	const char *end = text + strlen(text);
	uint64_t locals, globals;

	if (!hd_scan_number(&text, end, 10, HD_MAX_PLACES, &locals) || *text++ != '/' ||
	    !hd_scan_number(&text, end, 10, HD_MAX_PLACES, &globals) || *text)
		return false;
	for (unsigned i = 0; i < HD_VCS_KNOWN; i++)
		if (hd_vcs_known[i].n[HD_LINK_LOCAL] <= locals &&
		    hd_vcs_known[i].n[HD_LINK_GLOBAL] <= globals)
			known = &hd_vcs_known[i];
	if (!known)
		return false;
	for (uint64_t n = locals - known->n[HD_LINK_LOCAL]; n; n--)
		if (!hd_vcs_add(vcs, 'l'))
			return false;
	for (uint64_t n = globals - known->n[HD_LINK_GLOBAL]; n; n--)
		if (!hd_vcs_add(vcs, 'g'))
			return false;
	return hd_vcs_add_sequence(vcs, known->sequence);
}

static bool add(struct hd_vcs *vcs, const char *text)
{
	return strchr(text, '/') ? add_numbers(vcs, text) : hd_vcs_add_sequence(vcs, text);
}

/* "flexvc", "flexvc:vcs=8" */
static int init_range(struct hd_vcs *vcs, const char *text, const char *spec, struct hd_error *err)
{
	uint64_t n = 0;

	vcs->by_tables = vcs->is_range = true;
	strcpy(vcs->text, "flexvc");
	memset(vcs->n, HD_MAX_VLS, sizeof(vcs->n));
	if (!text)
		return 0;
	text += strlen("vcs=");
	if (!hd_scan_number(&text, text + strlen(text), 10, 1000, &n) || *text || !n)
		return hd_vcs_refuse(spec, "flexvc:vcs=V", err);
	if (n > HD_MAX_VCS)
		return hd_error_set(err, HD_EINVAL, "%u VCs: a port may have %u", (unsigned)n,
				    HD_MAX_VCS);
	snprintf(vcs->text, sizeof(vcs->text), "flexvc vcs=%u", (unsigned)n);
	vcs->n_range = (uint8_t)n;
	memset(vcs->n, (int)n, sizeof(vcs->n));
	return 0;
}

static int init(struct hd_vcs *vcs, const struct hd_params *params, const char *spec,
		struct hd_error *err)
{
	const char *text = hd_params_get(params, "sequence");

	if (strcmp(spec, "flexvc") == 0 || (text && strncmp(text, "vcs=", 4) == 0))
		return init_range(vcs, text, spec, err);
	if (!text || !hd_vcs_add_parts(vcs, text, add))
		return hd_vcs_refuse(spec, "flexvc:L/G, 2/1 and more, flexvc:N", err);
	hd_vcs_index(vcs);
	return 0;
}

static int prepare_range(struct hd_routed *routed, struct hd_error *err)
{
	struct hd_vcs *vcs = &routed->vcs;

	vcs->n_layers = (uint8_t)hd_way_count_layers(routed->shape);
	if (!vcs->n_range)
		return 0;
	if (vcs->n_layers > vcs->n_range)
		return hd_error_set(err, HD_EINVAL,
				    "flexvc:vcs=%u: the tables have %u layers, and a VC each",
				    vcs->n_range, vcs->n_layers);
	vcs->in_front = vcs->n_range - vcs->n_layers;
	/* links to hosts are on the tables' VLs */
	vcs->n[HD_LINK_TERMINAL] = vcs->n_layers;
	return 0;
}

static int prepare(struct hd_routed *routed, struct hd_error *err)
{
	if (routed->vcs.is_range)
		return prepare_range(routed, err);
	return hd_flex_new(&routed->vcs, routed->shape, &routed->flex, err);
}

const struct hd_vc_rule hd_vcs_flexvc = {
	.policy.name = "flexvc",
	.policy.summary = "any VC from which the rest of the path still embeds in a sequence",
	.policy.reference = "Fuentes, fairness, contention counters and FlexVC, chapter 5",
	.policy.options = options,
	.policy.is_text = true,
	.init = init,
	.prepare = prepare,
};
