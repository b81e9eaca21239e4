/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One run on several threads: the switches of a fabric, with their hosts, are divided into domains.
 * A domain is a model of its own: it has events, packets and counters of its own, and shares the
 * arrays by port, switch and host, in which it touches only what is its own. Domains run side by
 * side for a window of time that is no longer than the shortest time in which a packet or a credit
 * crosses a link between two of them (K. M. Chandy, J. Misra: "Distributed simulation", IEEE TSE
 * SE-5(5), 1979: conservative). What crosses is mail (mail.h), taken before the next window.
 *
 * Results do not depend on the number of domains. Within a tick, events of one kind at different
 * ports of a switch may come in another order; they commute, since a switch is matched only when
 * the tick's events are through (machine.inc), in the order of ports. Hosts and switches draw from
 * random streams of their own. Switches tell one another only what stays within a domain. Models
 * for which this does not hold are not divided: hd_model_why_whole().
 */
#ifndef HD_MODEL_DOMAINS_H
#define HD_MODEL_DOMAINS_H

#include "sim/model/mail.h"
#include "sim/model/ranks.h"
#include "support/barrier.h"

#define HD_DOMAINS_MAX 256

/*
 * Of a domain; what its thread writes at the end of a window is there twice, for windows in turn.
 */
struct hd_domain {
	struct hd_model *model;
	struct hd_mails *mails[2]; /* [domain] from this one */
	uint64_t next[2];          /* time of its next event, and of what it sent */
	int ret[2];                /* of its model's run */
	struct hd_error err;
} __attribute__((aligned(64)));

struct hd_domains {
	uint32_t n;
	uint64_t window;      /* ticks */
	uint8_t *of_switch;   /* [switch] */
	uint8_t *of_host;     /* [host] */
	struct hd_domain *of; /* [n] */
	unsigned last;        /* which of the two the last window wrote */
	unsigned n_threads;   /* those that run now */
	struct hd_barrier barrier;
	pthread_mutex_t gate;   /* closed while threads are made */
	struct hd_ranks *ranks; /* each process runs one domain; NULL: threads run all of them */
	bool is_late;           /* something came too late to a domain of another process */

	/* what the first thread decides when a pause is reached */
	struct hd_model *whole;
	uint64_t pause, until;
	bool is_over;
	int ret;
	struct hd_error err;
};

/*
 * Domains of the switches of @model: as many hosts and links in each, and few and long links
 * between them. Sets of_switch and window; returns the number, at most @most.
 */
unsigned hd_domains_cut(const struct hd_model *model, unsigned most, uint8_t *of_switch,
			uint64_t *window);

/* hd_model_run() of a model with domains. */
int hd_domains_run(struct hd_model *model, uint64_t until, struct hd_error *err);

void hd_domains_free(struct hd_domains *domains);

/* The model whose thread runs @port: packets in its queues are packets of that model. */
static inline const struct hd_model *hd_model_at(const struct hd_model *model, uint32_t port)
{
	if (!model->domains || !hd_is_switch_port(model, port))
		return model;
	return model->domains->of[model->domains->of_switch[hd_switch_of(model, port)]].model;
}

/* Whether this process runs domain @k; whether it runs that of switch port @port. */
static inline bool hd_domain_is_here(const struct hd_domains *domains, uint32_t k)
{
	return !domains->ranks || domains->ranks->rank == k;
}

static inline bool hd_port_is_here(const struct hd_model *model, uint32_t port)
{
	const struct hd_domains *domains = model->domains;

	return !domains ||
	       hd_domain_is_here(domains, domains->of_switch[hd_switch_of(model, port)]);
}

#endif
