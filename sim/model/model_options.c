// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What options leave to defaults, and which of them do not go together. */
#include "sim/adaptive/selection.h"
#include "sim/switches/adaptive.h"
#include "sim/model/build.h"
#include "sim/model/model_network.h"

#include "support/error.h"

struct hd_model_options hd_model_defaults(const struct hd_model_options *given)
{
	struct hd_model_options options = *given;
	const struct hd_switch_model *variant = NULL;
	struct hd_error ignored; /* check() says it */

	if (!options.model)
		options.model = &hd_switch_iq;
	if (options.model->variant)
		variant = options.model->variant(options.switch_params, &ignored);
	if (variant)
		options.model = variant;
	if (!options.allocator)
		options.allocator = &hd_allocator_output;
	if (!options.buffering)
		options.buffering = &hd_buffering_fifo;
	if (!options.arbiter)
		options.arbiter = &hd_arbiter_round_robin;
	if (!options.scheduler)
		options.scheduler = options.arbiter->scheduler;
	if (!options.scheduler)
		options.scheduler = &hd_scheduler_rr;
	if (!options.admittance)
		options.admittance = &hd_admittance_vl;
	if (!options.host_policy)
		options.host_policy = &hd_host_first;
	if (!options.selection)
		options.selection = &hd_selection_jsq;
	if (!options.host_vc)
		options.host_vc = &hd_host_vc_jsq;
	if (options.routed && !options.cycle)
		options.cycle = options.links[HD_LINK_LOCAL].unit_ticks;
	if (!options.speedup)
		options.speedup = 1;
	if (!(options.damq_most != 0))
		options.damq_most = 1;
	return options;
}

static int check_options(const struct hd_model_options *options, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		if (!options->links[i].unit_ticks)
			return hd_error_set(err, HD_EINVAL, "a link takes no time to send");
		if (!options->links[i].buffer && !options->links[i].port_buffer)
			return hd_error_set(err, HD_EINVAL, "a buffer has no room");
	}
	if ((options->header || options->gap) &&
	    (options->model == &hd_switch_cioq || options->model == &hd_switch_cioq_vl))
		return hd_error_set(err, HD_EINVAL,
				    "switch model cioq counts units on links, and neither headers "
				    "nor gaps");
	if (options->reads > 1 && (options->model->arbitrate || options->routed))
		return hd_error_set(err, HD_EINVAL,
				    "in-ports send several packets at a time only by tables, and "
				    "with switch models iq and cioq");
	if (options->reads > UINT8_MAX)
		return hd_error_set(err, HD_EINVAL,
				    "an in-port sends at most 255 packets at a time");
	if (options->model->check && options->model->check(options, err))
		return err->code;
	if (options->admittance->by_destination && !options->injection && !options->port_injection)
		return hd_error_set(err, HD_EINVAL, "an injection queue has no room");
	if (!(options->consumption >= 0 && options->consumption <= 1))
		return hd_error_set(err, HD_EINVAL, "hosts take in a share of 0 to 1");
	if (!(options->damq_reserved >= 0 && options->damq_reserved <= 1))
		return hd_error_set(err, HD_EINVAL,
				    "the share of a buffer that is reserved is 0 to 1");
	if (!(options->damq_most > 0 && options->damq_most <= 1))
		return hd_error_set(
			err, HD_EINVAL,
			"the share of a buffer that a VL has at most is above 0, up to 1");
	if (options->bubble && options->damq)
		return hd_error_set(
			err, HD_EINVAL,
			"a ring's free packet is of one VL: with bubble flow control VLs "
			"share no buffer");
	if (options->buffering->by_destination && options->damq)
		return hd_error_set(err, HD_EINVAL,
				    "queues by destination have room of their own: with them VLs "
				    "share no buffer");
	return 0;
}

/* Refuses options that packets which choose their ways cannot have. */
static int check_routing(const struct hd_model_options *options, struct hd_error *err)
{
	if (options->buffering->by_output)
		return hd_error_set(
			err, HD_EINVAL,
			"switches with a queue per output do not choose paths at the head");
	if (options->admittance->by_destination && !options->routed->groups &&
	    (!options->routed->vcs.by_tables || options->routed->vcs.is_range))
		return hd_error_set(err, HD_EINVAL,
				    "hosts with queues per destination know the tables' lanes, and "
				    "VCs by groups");
	if (options->host_vc == &hd_host_vc_tables && !options->routed->vcs.is_range)
		return hd_error_set(err, HD_EINVAL,
				    "hosts' VCs by the tables' layers go with flexvc without a "
				    "sequence");
	if (options->scheduler->next)
		return hd_error_set(err, HD_EINVAL,
				    "schedulers of VLs know the tables' lanes only");
	if (options->count_waits)
		return hd_error_set(err, HD_EINVAL,
				    "a packet that chooses its path waits for no port alone");
	if (options->bubble && !options->routed->groups)
		return hd_error_set(
			err, HD_EINVAL,
			"with bubble flow control packets that choose have VCs by groups");
	return 0;
}

/* Refuses options with which packets do not go as the SLs of service classes say. */
static int check_classes(const struct hd_tables *tables, const struct hd_model_options *options,
			 struct hd_error *err)
{
	if (!options->class_of_tag)
		return 0;
	if (!tables->classes)
		return hd_error_set(err, HD_EINVAL, "the tables have no service classes");
	if (options->routed && (!options->routed->vcs.by_tables || options->routed->vcs.is_range))
		return hd_error_set(err, HD_EINVAL,
				    "packets that choose their VCs are of no service class");
	if (options->admittance->by_destination)
		return hd_error_set(
			err, HD_EINVAL,
			"hosts with queues per destination do not know service classes");
	return 0;
}

int hd_model_check_options(const struct hd_tables *tables, const struct hd_model_options *options,
			   struct hd_error *err)
{
	int ret = check_options(options, err);

	if (!ret && options->routed)
		ret = check_routing(options, err);
	return ret ? ret : check_classes(tables, options, err);
}
