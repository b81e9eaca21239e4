// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/application_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"

#define RANDOM "random:"

/* Puts @host into place @n of a permutation; false: it has a place before that. */
static bool swap_in(uint32_t *host_of, uint32_t *place_of, uint32_t n, uint32_t host)
{
	uint32_t at = place_of[host], other;

	if (at < n) /* always so when every host has its place and @n is none */
		return false;
	other = host_of[n];
	host_of[n] = host;
	host_of[at] = other;
	place_of[host] = n;
	place_of[other] = at;
	return true;
}

/* Takes the hosts of a list, one after the other. */
static int take_range(uint64_t first, uint64_t last, uint32_t n_hosts, hd_host_take take,
		      void *context, struct hd_error *err)
{
	if (last >= n_hosts)
		return hd_error_set(err, HD_ERANGE, "hosts: there is no host %llu: there are %u",
				    (unsigned long long)last, n_hosts);
	for (uint64_t host = first; host <= last; host++)
		if (!take(context, (uint32_t)host))
			return hd_error_set(err, HD_EINVAL, "hosts: host %llu is named twice",
					    (unsigned long long)host);
	return 0;
}

int hd_application_list(const char *text, uint32_t n_hosts, hd_host_take take, void *context,
			struct hd_error *err)
{
	const char *at = text, *end = text + strlen(text);
	int ret = 0;

	while (!ret) {
		uint64_t first, last;

		if (!hd_scan_number(&at, end, 10, UINT32_MAX, &first))
			break;
		last = first;
		if (hd_scan_word(&at, end, "..") &&
		    !hd_scan_number(&at, end, 10, UINT32_MAX, &last))
			break;
		if (last < first)
			break;
		ret = take_range(first, last, n_hosts, take, context, err);
		if (at == end || ret)
			return ret;
		if (!hd_scan_word(&at, end, "+"))
			break;
	}
	return hd_error_set(err, HD_EINVAL,
			    "hosts: '%s' is neither a list such as 0..31+40..71 nor random:NUMBER",
			    text);
}

/* Hosts that are moved to the front. */
struct front {
	uint32_t *host_of, *place_of;
	uint32_t n;
};

static bool take_to_front(void *context, uint32_t host)
{
	struct front *front = context;

	return swap_in(front->host_of, front->place_of, front->n++, host);
}

static int take_hosts(const struct hd_pattern_setup *setup, uint32_t *host_of, uint32_t *place_of,
		      uint32_t *n, struct hd_error *err)
{
	const char *text = hd_params_get(setup->params, "hosts");
	uint32_t n_hosts = setup->setting->n_hosts;
	uint64_t number;
	int ret;

	*n = 0;
	for (uint32_t host = 0; host < n_hosts; host++)
		host_of[host] = place_of[host] = host;
	if (!text) {
		*n = n_hosts;
		return 0;
	}
	if (strncmp(text, RANDOM, strlen(RANDOM)) != 0) {
		struct front front = { host_of, place_of, 0 };

		ret = hd_application_list(text, n_hosts, take_to_front, &front, err);
		*n = front.n;
		return ret;
	}
	ret = hd_parse_number(text + strlen(RANDOM), "hosts", 0, UINT32_MAX, &number, err);
	if (ret)
		return ret;
	if (number > n_hosts)
		return hd_error_set(err, HD_ERANGE, "hosts: there are %u, not %llu", n_hosts,
				    (unsigned long long)number);
	hd_random_permutation(setup->random, n_hosts, host_of);
	*n = (uint32_t)number;
	return 0;
}

int hd_application_hosts(const struct hd_pattern_setup *setup, uint32_t **host_of, uint32_t *n,
			 struct hd_error *err)
{
	uint32_t n_hosts = setup->setting->n_hosts;
	uint32_t *place_of = malloc(n_hosts * sizeof(*place_of));
	int ret = 0;

	*host_of = malloc(n_hosts * sizeof(**host_of));
	if (!place_of || !*host_of)
		ret = hd_error_nomem(err);
	if (!ret)
		ret = take_hosts(setup, *host_of, place_of, n, err);
	if (!ret && *n < 2)
		ret = hd_error_set(err, HD_EINVAL, "hosts: two at least take part");
	free(place_of);
	return ret;
}
