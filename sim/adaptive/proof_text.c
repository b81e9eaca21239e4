// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"

static size_t say_channel(const struct hd_shape *shape, const struct hd_proof_channel *channel,
			  char *text, size_t size)
{
	char label[320];
	int n;

	if (channel->port == HD_NO_PORT)
		n = snprintf(text, size, "%s",
			     hd_node_label(shape->fabric, channel->at, label, sizeof(label)));
	else
		n = snprintf(text, size, "%s VC %u",
			     hd_port_label(shape->fabric,
					   shape->fabric_port[hd_shape_port(shape, channel->at,
									    channel->port)],
					   label, sizeof(label)),
			     channel->vc);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* A flow whose layers do not ascend. */
static size_t say_fall(const struct hd_shape *shape, const struct hd_proof_fall *fall, char *text,
		       size_t size)
{
	const struct hd_fabric *fabric = shape->fabric;
	char source[320], destination[320], at[320];
	int n = snprintf(
		text, size,
		"; layers do not ascend on the path from %s to %s (LID %u, SL %u): at %s VL %u is "
		"followed by VL %u",
		hd_node_label(fabric, fabric->ports[fall->source].node, source, sizeof(source)),
		hd_node_label(fabric, fabric->ports[fabric->lids[fall->lid].port].node, destination,
			      sizeof(destination)),
		fall->lid, fall->sl, hd_node_label(fabric, fall->at, at, sizeof(at)), fall->from,
		fall->to);

	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

void hd_proof_describe(const struct hd_routed *routed, const struct hd_proof *proof, char *text,
		       size_t size)
{
	const struct hd_shape *shape = routed->shape;
	size_t used = 0;
	char label[320];

	if (proof->is_sound) {
		snprintf(text, size,
			 "%s: no deadlock, at most %u links between switches (%" PRIu64
			 " states, %" PRIu64 " edges without a cycle)%s",
			 routed->text, proof->max_hops, proof->states, proof->edges,
			 !hd_vcs_has_replies(&routed->vcs) ? ""
			 : proof->hosts_may_wait
				 ? "; hosts may hold a request until the reply to it has left"
				 : "; hosts have to take in requests whatever replies wait");
		return;
	}
	used += (size_t)snprintf(text, size, "%s: ", routed->routing->policy.name);
	if (proof->n_cycle) {
		used += (size_t)snprintf(text + used, size - used,
					 "packets can wait for one another in a circle of %zu "
					 "buffers: ",
					 proof->n_cycle);
		for (size_t i = 0; i < proof->n_cycle && i < 4 && used < size; i++) {
			used += (size_t)snprintf(text + used, size - used, "%s", i ? ", " : "");
			used += say_channel(shape, &proof->cycle[i], text + used, size - used);
		}
		if (proof->n_cycle > 4 && used < size)
			used += (size_t)snprintf(text + used, size - used, ", ...");
	} else {
		used += (size_t)snprintf(
			text + used, size - used,
			proof->is_unserved ? "a packet for %s has no VC for its next hop at "
			: routed->flex     ? "a packet for %s has no escape at "
					   : "a packet for %s has no next hop at ",
			hd_node_label(shape->fabric, proof->stuck_target, label, sizeof(label)));
		used += say_channel(shape, &proof->stuck, text + used, size - used);
	}
	if (proof->n_cycle && routed->vcs.is_range && proof->falls.source != HD_NONE && used < size)
		used += say_fall(shape, &proof->falls, text + used, size - used);
	if (proof->exceeds && used < size)
		used += (size_t)snprintf(
			text + used, size - used, "; ways%s %s \"%s\": \"%s:%s\" at least",
			proof->who ? proof->who : "",
			routed->flex ? "do not embed in" : "are longer than", routed->vcs.text,
			routed->flex ? "flexvc" : "hop", proof->longest);
	for (unsigned i = 0; i < HD_VCS_KNOWN; i++)
		if (proof->exceeds && routed->flex && used < size &&
		    strcmp(proof->longest, hd_vcs_known[i].sequence) == 0)
			snprintf(text + used, size - used, " (%s)", hd_vcs_known[i].numbers);
}

int hd_proof_require(const struct hd_routed *routed, bool hosts_wait, struct hd_error *err)
{
	struct hd_proof proof;
	char text[sizeof(err->text)];
	int ret = hd_proof_make(routed, &proof, err);

	if (!ret && !proof.is_sound) {
		hd_proof_describe(routed, &proof, text, sizeof(text));
		ret = hd_error_set(err, HD_EREFUSED, "%s", text);
	} else if (!ret && hosts_wait && hd_vcs_has_replies(&routed->vcs) &&
		   !proof.hosts_may_wait) {
		ret = hd_error_set(err, HD_EREFUSED,
				   "%s: hosts may not hold requests (host.replies): replies' first "
				   "hops have no VC that requests never have",
				   routed->text);
	}
	hd_proof_clear(&proof);
	return ret;
}
