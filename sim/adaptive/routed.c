// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A routing made for a shape: with its trigger and its VCs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/flexvc.h"
#include "sim/adaptive/routing.h"
#include "sim/adaptive/vc_groups.h"
#include "support/error.h"

int hd_vcs_parse(const char *spec, struct hd_vcs *vcs, struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	int ret = hd_policy_parse(&hd_vc_rules, spec, &policy, &params, err);

	*vcs = (struct hd_vcs){ .rule = (const struct hd_vc_rule *)policy };
	if (!ret)
		ret = vcs->rule->init(vcs, params, spec, err);
	hd_params_free(params);
	return ret;
}

static bool is_said(const char *text)
{
	return text && *text;
}

static int make_routing(struct hd_routed *routed, const char *spec, struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	int ret = hd_policy_parse(&hd_routings, spec, &policy, &params, err);

	if (ret)
		return ret;
	routed->routing = (const struct hd_routing *)policy;
	if (routed->routing->needs_groups && !routed->shape->group)
		ret = hd_error_set(err, HD_EINVAL,
				   "%s goes by groups, and the fabric is no dragonfly",
				   policy->name);
	if (routed->routing->needs_grid && !routed->shape->n_dimensions)
		ret = hd_error_set(err, HD_EINVAL,
				   "%s goes by dimensions, and the fabric is no grid",
				   policy->name);
	if (!ret && routed->routing->init)
		ret = routed->routing->init(routed, params, err);
	hd_params_free(params);
	return ret;
}

/* Packets that go as the tables say on VCs in groups are ones that choose their VCs. */
const char *hd_routed_adaptive(const char *adaptive, const char *vcs)
{
	if (adaptive && *adaptive)
		return adaptive;
	if (vcs && hd_policy_of_spec(&hd_vc_rules, vcs) == &hd_vcs_groups.policy)
		return "minimal:tables";
	return adaptive;
}

bool hd_routed_needs_grid(const char *adaptive, const char *vcs)
{
	const struct hd_policy *policy = NULL;
	struct hd_params *params = NULL;
	struct hd_error err;

	if (hd_policy_of_spec(&hd_vc_rules, vcs) == &hd_vcs_groups.policy)
		return true;
	if (hd_policy_parse(&hd_routings, adaptive, &policy, &params, &err))
		return false;
	hd_params_free(params);
	return ((const struct hd_routing *)policy)->needs_grid;
}

static int make_trigger(struct hd_routed *routed, const char *spec, struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	int ret;

	if (!routed->routing->trigger)
		return is_said(spec) ? hd_error_set(err, HD_EINVAL, "%s asks no trigger",
						    routed->routing->policy.name)
				     : 0;
	ret = hd_policy_parse(&hd_triggers, is_said(spec) ? spec : routed->routing->trigger,
			      &policy, &params, err);
	if (ret)
		return ret;
	routed->trigger = (const struct hd_trigger *)policy;
	ret = routed->trigger->init(routed, params, err);
	hd_params_free(params);
	return ret;
}

bool hd_routing_is_by_tables(const struct hd_routing *routing)
{
	return strcmp(routing->vcs, "tables") == 0;
}

static const char *default_vcs(const struct hd_routed *routed)
{
	const struct hd_routing *routing = routed->routing;

	return routed->shape->is_degraded && routing->vcs_degraded ? routing->vcs_degraded
								   : routing->vcs;
}

static int describe(struct hd_routed *routed, const struct hd_routed_spec *spec,
		    struct hd_error *err)
{
	const char *trigger = is_said(spec->trigger) ? spec->trigger : routed->routing->trigger;

	if (asprintf(&routed->text, "%s%s%s, VCs %s%s", spec->adaptive, trigger ? ", trigger " : "",
		     trigger ? trigger : "", routed->flex ? "flexvc:" : "", routed->vcs.text) >= 0)
		return 0;
	routed->text = NULL;
	return hd_error_nomem(err);
}

int hd_routed_new(const struct hd_routed_spec *spec, const struct hd_shape *shape,
		  struct hd_routed **result, enum hd_routed_part *culprit, struct hd_error *err)
{
	struct hd_routed *routed = calloc(1, sizeof(*routed));
	int ret;

	*result = NULL;
	*culprit = HD_ROUTED_ADAPTIVE;
	if (!routed)
		return hd_error_nomem(err);
	routed->shape = shape;
	routed->in_cycles = spec->in_cycles;
	routed->notice_period = 1;
	routed->notice_delay = HD_BY_LINK;
	ret = make_routing(routed, spec->adaptive, err);
	if (!ret) {
		*culprit = HD_ROUTED_TRIGGER;
		ret = make_trigger(routed, spec->trigger, err);
	}
	if (!ret) {
		*culprit = HD_ROUTED_VCS;
		ret = hd_vcs_parse(is_said(spec->vcs) ? spec->vcs : default_vcs(routed),
				   &routed->vcs, err);
	}
	if (!ret && routed->vcs.by_tables != hd_routing_is_by_tables(routed->routing) &&
	    !(routed->vcs.is_range && routed->routing->serves_tables))
		ret = hd_error_set(
			err, HD_EINVAL, "%s goes on VCs by %s", routed->routing->policy.name,
			routed->vcs.by_tables ? "hop or flexvc:L/G" : "the tables alone");
	if (!ret && routed->vcs.is_range && !routed->routing->serves_tables)
		ret = hd_error_set(err, HD_EINVAL, "%s goes on VCs by the tables alone",
				   routed->routing->policy.name);
	if (!ret && routed->vcs.groups.n_vcs && !routed->routing->takes_groups &&
	    !routed->routing->takes_hop_groups)
		ret = hd_error_set(err, HD_EINVAL, "%s goes on VCs by hop%s",
				   routed->routing->policy.name,
				   routed->routing->place ? " alone" : " or flexvc");
	if (!ret && shape->ring && !routed->vcs.groups.n_vcs)
		ret = hd_error_set(
			err, HD_EINVAL,
			"with bubble flow control packets that choose have VCs by groups");
	if (!ret && routed->routing->place && routed->vcs.rule == &hd_vcs_flexvc)
		ret = hd_error_set(err, HD_EINVAL, "%s goes on VCs by hop alone",
				   routed->routing->policy.name);
	if (!ret && routed->routing->place && hd_vcs_has_replies(&routed->vcs))
		ret = hd_error_set(err, HD_EINVAL, "%s has no VCs for replies alone",
				   routed->routing->policy.name);
	/* places of their own are the VCs of all links between switches */
	if (!ret && routed->routing->place)
		routed->vcs.n[HD_LINK_LOCAL] = routed->vcs.n[HD_LINK_GLOBAL] =
			(uint8_t)routed->vcs.n_places;
	if (!ret && routed->vcs.rule->prepare)
		ret = routed->vcs.rule->prepare(routed, err);
	if (!ret && routed->routing->prepare)
		ret = routed->routing->prepare(routed, err);
	if (!ret)
		ret = describe(routed, spec, err);
	if (ret) {
		hd_routed_free(routed);
		return ret;
	}
	*result = routed;
	return 0;
}

void hd_routed_free(struct hd_routed *routed)
{
	if (!routed)
		return;
	hd_flex_free(routed->flex);
	hd_groups_free(routed->groups);
	if (routed->routing && routed->routing->clear)
		routed->routing->clear(routed);
	free(routed->own);
	free(routed->trigger_own);
	free(routed->text);
	free(routed);
}

void hd_routed_take(const struct hd_routed *routed, const struct hd_view *view,
		    struct hd_header *header, const struct hd_offer *offer, unsigned port,
		    unsigned vc)
{
	unsigned link_class = hd_shape_class(view->shape, view->at, port), next;

	/* before anything of the header changes */
	if (routed->routing->place) {
		next = routed->routing->place(routed, view, header, port);
		header->place = (uint8_t)(next < routed->vcs.n_places ? vc : next);
	}
	header->via = offer->via;
	header->hops++;
	if (offer->step != HD_STEP_ON || offer->via != HD_NONE)
		header->flags |= hd_view_is_injected(view) ? HD_MISROUTED | HD_MISROUTED_FIRST
							   : HD_MISROUTED;
	if (routed->flex)
		header->place = routed->flex->place[link_class][vc] + 1;
	else if (routed->groups && !routed->groups->by_hop)
		header->place = hd_groups_place(routed, view, header, vc);
	else if (!routed->routing->place &&
		 (offer->step != HD_STEP_LOCAL || hd_view_is_injected(view))) {
		next = hd_vcs_next(&routed->vcs, header->place, link_class);
		header->place =
			(uint8_t)(next < routed->vcs.n_places ? next + 1 : routed->vcs.n_places);
	}
	if (routed->routing->took)
		routed->routing->took(routed, view, header, offer);
	if (link_class == HD_LINK_GLOBAL) {
		header->globals++;
		header->flags &= (uint8_t) ~(HD_LOCAL_DETOUR | HD_MUST_LEAVE);
	}
}
