// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/near_hosts.h"
#include "sim/scenario/rail_hosts.h"
#include "sim/traffic/application_hosts.h"
#include "support/error.h"
#include "support/random.h"
#include "support/text.h"

/* The stream from which places are drawn; no phase of traffic has it. */
#define STREAM UINT64_MAX

struct jobs {
	const struct hd_setup *setup;
	const struct hd_fabric *fabric;
	const uint32_t *host_ports;
	uint32_t n_hosts;
	struct hd_random random;
	bool *taken; /* [host] by a job */
	bool *busy;  /* [host] of others in a fragmented machine; NULL: not drawn yet */
	uint32_t *list;
	uint32_t n; /* in list */
};

/* What follows @word in @text, after ':' if there is something; NULL: @text is no such place. */
static const char *after(const char *text, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(text, word, length) != 0 || (text[length] && text[length] != ':'))
		return NULL;
	return text + length + (text[length] == ':');
}

static void take(struct jobs *jobs, uint32_t host)
{
	jobs->taken[host] = true;
	jobs->list[jobs->n++] = host;
}

/* The first @n free hosts that follow one another, or else the first free ones. */
static void place_in_blocks(struct jobs *jobs, uint32_t n)
{
	uint32_t length = 0, first = 0;

	for (uint32_t host = 0; host < jobs->n_hosts && length < n; host++) {
		length = jobs->taken[host] ? 0 : length + 1;
		if (length == 1)
			first = host;
	}
	if (length < n)
		first = 0;
	for (uint32_t host = first; host < jobs->n_hosts && jobs->n < n; host++)
		if (!jobs->taken[host])
			take(jobs, host);
}

/* @n free hosts in random order. */
static int place_at_random(struct jobs *jobs, const char *seed_text, uint32_t n,
			   struct hd_error *err)
{
	uint32_t *order = malloc(jobs->n_hosts * sizeof(*order));
	struct hd_random own;
	uint64_t seed;
	int ret = order ? 0 : hd_error_nomem(err);

	if (!ret && *seed_text)
		ret = hd_parse_number(seed_text, "random", 0, UINT64_MAX, &seed, err);
	if (!ret && *seed_text)
		hd_random_init(&own, seed, STREAM);
	if (!ret)
		hd_random_permutation(*seed_text ? &own : &jobs->random, jobs->n_hosts, order);
	for (uint32_t i = 0; !ret && i < jobs->n_hosts && jobs->n < n; i++)
		if (!jobs->taken[order[i]])
			take(jobs, order[i]);
	free(order);
	return ret;
}

/* "20%" or "0.2". */
static int read_share(const char *text, double *share, struct hd_error *err)
{
	char *end;

	*share = strtod(text, &end);
	if (end != text && *end == '%') {
		*share /= 100;
		end++;
	}
	if (end != text && !*end && *share >= 0 && *share < 1)
		return 0;
	return hd_error_set(err, HD_EINVAL, "'%s' is no share of hosts, such as 20%%", text);
}

/* The first free hosts of a machine of which others have the share @text, at random. */
static int place_in_fragments(struct jobs *jobs, const char *text, uint32_t n, struct hd_error *err)
{
	double share;
	int ret = read_share(text, &share, err);

	if (ret)
		return ret;
	if (!jobs->busy) {
		jobs->busy = malloc(jobs->n_hosts * sizeof(*jobs->busy));
		if (!jobs->busy)
			return hd_error_nomem(err);
		for (uint32_t host = 0; host < jobs->n_hosts; host++)
			jobs->busy[host] = hd_random_u32(&jobs->random) < share * 0x1p32;
	}
	for (uint32_t host = 0; host < jobs->n_hosts && jobs->n < n; host++)
		if (!jobs->taken[host] && !jobs->busy[host])
			take(jobs, host);
	if (jobs->n < n)
		return hd_error_set(err, HD_EINVAL, "others leave only %u of %u hosts", jobs->n, n);
	return 0;
}

/* Hosts of rails; @text, if there is one, is how many switches are a rail group. */
static int place_on_rails(struct jobs *jobs, const char *text, uint32_t n, struct hd_error *err)
{
	uint64_t rails = 0;
	int ret = *text ? hd_parse_number(text, "rails", 2, UINT16_MAX, &rails, err) : 0;

	return ret ? ret
		   : hd_rail_hosts_choose(jobs->fabric, jobs->host_ports, jobs->n_hosts,
					  jobs->taken, n, (uint32_t)rails, jobs->list, &jobs->n,
					  err);
}

static int choose(struct jobs *jobs, const char *place, uint32_t n, struct hd_error *err)
{
	const char *rest;

	if (!place || strcmp(place, "blocks") == 0) {
		place_in_blocks(jobs, n);
		return 0;
	}
	rest = after(place, "random");
	if (rest)
		return place_at_random(jobs, rest, n, err);
	rest = after(place, "fragmented");
	if (rest)
		return place_in_fragments(jobs, rest, n, err);
	rest = after(place, "rails");
	if (rest)
		return place_on_rails(jobs, rest, n, err);
	if (strcmp(place, "topology") != 0)
		return hd_error_set(err, HD_EINVAL,
				    "place: '%s' is none of blocks, random, random:SEED, "
				    "fragmented:SHARE, rails, rails:NUMBER, topology",
				    place);
	return hd_near_hosts_choose(jobs->fabric, jobs->host_ports, jobs->n_hosts, jobs->taken, n,
				    jobs->list, &jobs->n, err);
}

static bool take_listed(void *context, uint32_t host)
{
	struct jobs *jobs = context;

	if (jobs->taken[host])
		return false;
	take(jobs, host);
	return true;
}

static uint32_t n_free(const struct jobs *jobs)
{
	uint32_t n = 0;

	for (uint32_t host = 0; host < jobs->n_hosts; host++)
		n += !jobs->taken[host];
	return n;
}

static bool has_list(const struct hd_traffic_class *job)
{
	return job->hosts[strspn(job->hosts, "0123456789")] != '\0';
}

static int place_job(struct jobs *jobs, const struct hd_traffic_class *job, struct hd_error *err)
{
	uint64_t n;

	jobs->n = 0;
	if (has_list(job))
		return job->place ? hd_error_set(err, HD_EINVAL,
						 "place: a list of hosts says it already")
				  : hd_application_list(job->hosts, jobs->n_hosts, take_listed,
							jobs, err);
	if (hd_parse_number(job->hosts, "hosts", 2, UINT32_MAX, &n, err))
		return err->code;
	if (n > n_free(jobs))
		return hd_error_set(err, HD_EINVAL,
				    "hosts: %u are left of the %llu that the job wants",
				    n_free(jobs), (unsigned long long)n);
	return choose(jobs, job->place, (uint32_t)n, err);
}

/*
 * @pattern with the hosts of the list, the start and the ratio; hosts that follow one another as a
 * range.
 */
static int write_pattern(const struct jobs *jobs, const struct hd_traffic_class *job,
			 const char *pattern, char **text, struct hd_error *err)
{
	size_t size;
	FILE *stream = open_memstream(text, &size);

	if (!stream)
		return hd_error_nomem(err);
	fprintf(stream, "%s%chosts=", pattern, strchr(pattern, ':') ? ',' : ':');
	for (uint32_t i = 0, next; i < jobs->n; i = next) {
		for (next = i + 1; next < jobs->n && jobs->list[next] == jobs->list[next - 1] + 1;)
			next++;
		fprintf(stream, "%s%u", i ? "+" : "", jobs->list[i]);
		if (next > i + 1)
			fprintf(stream, "..%u", jobs->list[next - 1]);
	}
	if (job->start)
		fprintf(stream, ",start=%s", job->start);
	if (job->ratio)
		fprintf(stream, ",ratio=%s", job->ratio);
	return fclose(stream) ? hd_error_nomem(err) : 0;
}

/* What @job asks for that is no job's, or that jobs cannot have. */
static int check_job(const struct hd_setup *setup, const struct hd_traffic_class *job,
		     struct hd_error *err)
{
	if (!job->hosts && (job->place || job->start || job->ratio))
		return hd_error_set(err, HD_EINVAL, "class %s: %s is for jobs, with hosts",
				    job->name,
				    job->place   ? "place"
				    : job->start ? "start"
						 : "ratio");
	if (job->ratio && strchr(job->ratio, ','))
		return hd_error_set(err, HD_EINVAL, "job %s: ratio: '%s' is no ratio", job->name,
				    job->ratio);
	if (job->start && strchr(job->start, ','))
		return hd_error_set(err, HD_EINVAL, "job %s: start: '%s' is no time", job->name,
				    job->start);
	if (job->hosts && setup->n_phases > 1)
		return hd_error_set(err, HD_EINVAL, "job %s: phases do not go with jobs",
				    job->name);
	return 0;
}

/* The jobs with lists of hosts, or the others. */
static int place_some(struct jobs *jobs, bool with_lists, char **patterns, struct hd_error *err)
{
	const struct hd_setup *setup = jobs->setup;

	for (unsigned c = 0; c < setup->n_classes; c++) {
		const struct hd_traffic_class *job = &setup->classes[c];
		struct hd_error cause;
		int ret = check_job(setup, job, err);

		if (ret)
			return ret;
		if (!job->hosts || has_list(job) != with_lists)
			continue;
		ret = place_job(jobs, job, &cause);
		if (ret)
			return hd_error_set(err, ret, "job %s: %s", job->name, cause.text);
		ret = write_pattern(jobs, job,
				    job->pattern ? job->pattern : setup->phases[0].pattern,
				    &patterns[c], err);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_jobs_place(const struct hd_setup *setup, const struct hd_fabric *fabric,
		  const uint32_t *host_ports, uint32_t n_hosts, uint64_t seed, char **patterns,
		  struct hd_error *err)
{
	struct jobs jobs = {
		.setup = setup,
		.fabric = fabric,
		.host_ports = host_ports,
		.n_hosts = n_hosts,
		.taken = calloc(n_hosts + (size_t)1, sizeof(*jobs.taken)),
		.list = malloc((n_hosts + (size_t)1) * sizeof(*jobs.list)),
	};
	int ret = jobs.taken && jobs.list ? 0 : hd_error_nomem(err);

	for (unsigned c = 0; c < setup->n_classes; c++)
		patterns[c] = NULL;
	hd_random_init(&jobs.random, seed, STREAM);
	if (!ret)
		ret = place_some(&jobs, true, patterns, err);
	if (!ret)
		ret = place_some(&jobs, false, patterns, err);
	free(jobs.taken);
	free(jobs.busy);
	free(jobs.list);
	return ret;
}

void hd_jobs_free(const struct hd_setup *setup, char **patterns)
{
	for (unsigned c = 0; c < setup->n_classes; c++)
		free(patterns[c]);
}

bool hd_jobs_has_others(const struct hd_setup *setup, unsigned class)
{
	return !setup->is_alone && setup->n_classes > 1 && setup->classes[class].hosts;
}
