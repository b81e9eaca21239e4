// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/tracer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/printable.h"

/* uthash aborts when it is out of memory, unless this is set. */
#define HASH_NONFATAL_OOM        1
#define uthash_nonfatal_oom(obj) ((obj)->number = 0)
#include <uthash.h>

/* What tells a packet from others; all bytes are compared. */
struct identity {
	uint64_t time, id;
	uint32_t from, to, size, tag;
};

struct followed {
	struct identity identity;
	uint64_t number; /* of the packet; 0: it could not be added */
	UT_hash_handle hh;
};

struct hd_tracer {
	struct hd_model_observer observer;
	const struct hd_trace_request *request;
	const struct hd_fabric *fabric;
	const struct hd_model *model;
	uint32_t host;   /* the host whose packets are followed; HD_NONE: one packet is, `wanted` */
	uint64_t wanted; /* the packet's number */
	uint64_t n_generated, n_followed;
	struct followed *packets; /* packets that are on their way */
	bool out_of_memory;
};

static struct identity identity_of(const struct hd_message *message)
{
	return (struct identity){ message->time, message->id,   message->from,
				  message->to,   message->size, message->tag };
}

static struct followed *begin(struct hd_tracer *tracer, const struct hd_message *message)
{
	bool is_wanted = tracer->host == HD_NONE ? ++tracer->n_generated == tracer->wanted
						 : message->from == tracer->host;
	struct followed *packet;

	if (!is_wanted)
		return NULL;
	tracer->n_followed++;
	packet = calloc(1, sizeof(*packet));
	if (packet) {
		packet->identity = identity_of(message);
		packet->number = tracer->host == HD_NONE ? tracer->wanted : tracer->n_followed;
		HASH_ADD(hh, tracer->packets, identity, sizeof(packet->identity), packet);
	}
	if (!packet || !packet->number) {
		free(packet);
		tracer->out_of_memory = true;
		return NULL;
	}
	return packet;
}

static struct followed *find(const struct hd_tracer *tracer, const struct hd_message *message)
{
	const struct identity identity = identity_of(message);
	struct followed *packet;

	HASH_FIND(hh, tracer->packets, &identity, sizeof(identity), packet);
	return packet;
}

/* The name of @host's node, as it may be printed. */
static const char *host_name(const struct hd_tracer *tracer, uint32_t host, char *text, size_t size)
{
	uint32_t port = hd_model_host_port(tracer->model, host);

	snprintf(text, size, "%s", hd_node_name(tracer->fabric, tracer->fabric->ports[port].node));
	return hd_make_printable(text);
}

static void print(const struct hd_tracer *tracer, const struct followed *packet,
		  const struct hd_packet_sight *sight)
{
	FILE *file = tracer->request->file;
	char from[320], to[320], port[320];

	hd_port_label(tracer->fabric, sight->port, port, sizeof(port));
	hd_make_printable(port);
	fprintf(file, "%14.3f %s  packet %llu  ", (double)sight->now / tracer->request->unit,
		tracer->request->unit_name, (unsigned long long)packet->number);
	switch (sight->step) {
	case HD_STEP_GENERATED:
		fprintf(file, "generated at %s for %s, %u units\n",
			host_name(tracer, sight->message->from, from, sizeof(from)),
			host_name(tracer, sight->message->to, to, sizeof(to)),
			sight->message->size);
		break;
	case HD_STEP_LEAVES:
		fprintf(file, "leaves by %s on VL %u (LID %u, SL %u)\n", port, sight->vl,
			sight->dlid, sight->sl);
		break;
	case HD_STEP_ARRIVED:
		fprintf(file, "is at %s on VL %u\n", port, sight->vl);
		break;
	case HD_STEP_DELIVERED:
		fprintf(file, "is taken in by %s after %u links\n", port, sight->hops);
		break;
	case HD_STEP_DROPPED:
		fprintf(file, "is dropped at %s (LID %u, SL %u)\n", port, sight->dlid, sight->sl);
		break;
	case HD_STEPS:
		break;
	}
}

static void look(void *context, const struct hd_packet_sight *sight)
{
	struct hd_tracer *tracer = context;
	struct followed *packet = sight->step == HD_STEP_GENERATED ? begin(tracer, sight->message)
								   : find(tracer, sight->message);

	if (!packet)
		return;
	print(tracer, packet, sight);
	if (sight->step == HD_STEP_DELIVERED || sight->step == HD_STEP_DROPPED) {
		HASH_DEL(tracer->packets, packet);
		free(packet);
	}
}

/* The model's host that users call @what. */
static int find_host(struct hd_tracer *tracer, const char *what, struct hd_error *err)
{
	uint32_t node, n = hd_model_hosts(tracer->model);
	int ret = hd_fabric_find(tracer->fabric, what, &node, err);

	for (uint32_t host = 0; host < n && !ret; host++) {
		uint32_t port = hd_model_host_port(tracer->model, host);

		if (tracer->fabric->ports[port].node == node) {
			tracer->host = host;
			return 0;
		}
	}
	return ret ? ret : hd_error_set(err, HD_EINVAL, "%s is no host of the fabric", what);
}

int hd_tracer_new(const struct hd_trace_request *request, const struct hd_fabric *fabric,
		  struct hd_model *model, struct hd_tracer **result, struct hd_error *err)
{
	struct hd_tracer *tracer = calloc(1, sizeof(*tracer));
	char *end;
	int ret = 0;

	*result = NULL;
	if (!tracer)
		return hd_error_nomem(err);
	tracer->request = request;
	tracer->fabric = fabric;
	tracer->model = model;
	tracer->host = HD_NONE;
	errno = 0;
	tracer->wanted = strtoull(request->what, &end, 10);
	if (!*request->what || *end || errno || request->what[0] == '-')
		ret = find_host(tracer, request->what, err);
	else if (!tracer->wanted)
		ret = hd_error_set(err, HD_EINVAL, "packets are counted from 1");
	if (ret) {
		free(tracer);
		return ret;
	}
	tracer->observer = (struct hd_model_observer){ .packet = look, .context = tracer };
	hd_model_observe(model, &tracer->observer);
	*result = tracer;
	return 0;
}

int hd_tracer_end(const struct hd_tracer *tracer, struct hd_error *err)
{
	if (tracer->out_of_memory)
		return hd_error_nomem(err);
	if (!tracer->n_followed && tracer->host == HD_NONE)
		return hd_error_set(err, HD_ENOTFOUND,
				    "there is no packet %llu: %llu were generated",
				    (unsigned long long)tracer->wanted,
				    (unsigned long long)tracer->n_generated);
	if (!tracer->n_followed)
		return hd_error_set(err, HD_ENOTFOUND, "%s generates nothing",
				    tracer->request->what);
	if (fflush(tracer->request->file))
		return hd_error_set(err, HD_EIO, "cannot write the packets' steps: %s",
				    strerror(errno));
	return 0;
}

void hd_tracer_free(struct hd_tracer *tracer)
{
	struct followed *packet, *next;

	if (!tracer)
		return;
	HASH_ITER(hh, tracer->packets, packet, next)
	{
		HASH_DEL(tracer->packets, packet);
		free(packet);
	}
	free(tracer);
}
