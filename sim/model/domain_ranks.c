// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What ranks tell one another of their domains. */
#include "sim/model/ranks.h"

#include "sim/model/domains.h"
#include "sim/model/port_counters.h"

/* What ranks tell of their domains at the end of a window. */
struct report {
	uint64_t next;
	int ret;
};

void hd_ranks_meet(struct hd_domains *domains, unsigned which)
{
	struct hd_ranks *ranks = domains->ranks;
	struct hd_domain *own = &domains->of[ranks->rank];
	const struct report report = { own->next[which], own->ret[which] };

	hd_ranks_begin(ranks);
	for (unsigned to = 0; to < ranks->n; to++) {
		if (to == ranks->rank)
			continue;
		hd_bytes_put(&ranks->out[to], &report, sizeof(report));
		hd_mails_write(&own->mails[which][to], own->model->adaptive, &ranks->out[to]);
	}
	ranks->exchange(ranks);
	for (unsigned from = 0; from < ranks->n; from++) {
		struct hd_domain *domain = &domains->of[from];
		struct report theirs;

		if (from == ranks->rank)
			continue;
		hd_bytes_get(&ranks->in[from], &theirs, sizeof(theirs));
		domain->next[which] = theirs.next;
		domain->ret[which] = theirs.ret;
		hd_mails_read(&domain->mails[which][ranks->rank], own->model->adaptive,
			      &ranks->in[from]);
		/*
		 * the next window, if there is one, tells all; a transport may end the program
		 * first
		 */
		own->model->events.out_of_memory |=
			ranks->in[from].failed || ranks->out[from].failed;
	}
}

/* What ranks tell of their domains at the end of a run. */
struct counts {
	struct hd_model_census census;
	uint64_t events;
	bool is_late;
};

static bool is_of(const struct hd_domains *domains, const struct hd_model *model, uint32_t port,
		  unsigned rank)
{
	uint32_t at = port;

	if (!hd_is_port(model, port))
		return false;
	if (!hd_is_switch_port(model, port))
		at = hd_sender(model, port)->peer;
	return hd_is_switch_port(model, at) ? domains->of_switch[hd_switch_of(model, at)] == rank
					    : rank == 0; /* two hosts back to back */
}

static void read_counts(struct hd_domains *domains, unsigned from)
{
	struct hd_bytes *in = &domains->ranks->in[from];
	struct hd_model *whole = domains->whole;
	struct counts theirs;

	hd_bytes_get(in, &theirs, sizeof(theirs));
	domains->of[from].model->census = theirs.census;
	domains->of[from].model->events.taken = theirs.events;
	domains->is_late |= theirs.is_late;
	for (uint32_t port = 0; port < whole->network.n_ports; port++)
		if (is_of(domains, whole, port, from))
			hd_model_read_counters(whole, port, in);
}

/* Whether @domain, of @n, has sent something too late. */
static bool has_late_mail(const struct hd_domain *domain, uint32_t n)
{
	bool is_late = false;

	for (uint32_t to = 0; to < n; to++)
		is_late |= domain->mails[0][to].is_late | domain->mails[1][to].is_late;
	return is_late;
}

void hd_ranks_share(struct hd_domains *domains)
{
	struct hd_ranks *ranks = domains->ranks;
	struct hd_model *whole = domains->whole;
	const struct hd_model *own = domains->of[ranks->rank].model;
	struct hd_bytes *out = &ranks->out[ranks->rank];
	struct counts counts = { own->census, own->events.taken,
				 has_late_mail(&domains->of[ranks->rank], domains->n) };

	/* only switches of this rank are known here */
	counts.census.packet_hops -= hd_model_hops_counted_early(whole);
	hd_ranks_begin(ranks);
	hd_bytes_put(out, &counts, sizeof(counts));
	for (uint32_t port = 0; port < whole->network.n_ports; port++)
		if (is_of(domains, whole, port, ranks->rank))
			hd_model_write_counters(whole, port, out);
	hd_ranks_tell(ranks);
	for (unsigned from = 0; from < ranks->n; from++)
		if (from != ranks->rank)
			read_counts(domains, from);
}
