// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/emulator/transport.h"
#include "support/error.h"

#define DEFAULT_LINEAR_FDB    49152
#define DEFAULT_MULTICAST_FDB 1024
#define MAX_MULTICAST_FDB     16384
#define DEFAULT_VLARB         8
#define DEFAULT_GUIDS         32
#define SECOND                UINT64_C(1000000000)

void hd_emulator_options_init(struct hd_emulator_options *options)
{
	*options = (struct hd_emulator_options){
		.optimized_sl2vl = true,
		.linear_fdb_cap = DEFAULT_LINEAR_FDB,
		.multicast_fdb_cap = DEFAULT_MULTICAST_FDB,
		.trap_repeat_ns = SECOND,
	};
}

static int check_class(struct hd_emulator_class *class, const char *which, struct hd_error *err)
{
	if (class->vls && !hd_vlcap_code(class->vls))
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u data VLs: 1, 2, 4, 8 or 15",
				    which, class->vls);
	if (class->mtu && !hd_mtu_code(class->mtu))
		return hd_error_set(err, HD_EINVAL,
				    "%s cannot have an MTU of %u: 256, 512, 1024, 2048 or 4096",
				    which, class->mtu);
	if (class->vlarb_high > HD_VLARB_MAX || class->vlarb_low > HD_VLARB_MAX)
		return hd_error_set(err, HD_EINVAL,
				    "%s cannot have more than %u VL arbitration entries", which,
				    HD_VLARB_MAX);
	if (class->pkeys > UINT16_MAX)
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u P_Keys: at most %u", which,
				    class->pkeys, UINT16_MAX);
	if (class->guids > UINT8_MAX)
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u GUIDs: at most %u", which,
				    class->guids, UINT8_MAX);
	if (!class->vlarb_high)
		class->vlarb_high = DEFAULT_VLARB;
	if (!class->vlarb_low)
		class->vlarb_low = DEFAULT_VLARB;
	return 0;
}

static int check_options(struct hd_emulator_options *options, struct hd_error *err)
{
	int ret = check_class(&options->switches, "switches", err);

	if (!ret)
		ret = check_class(&options->adapters, "adapters", err);
	if (ret)
		return ret;
	if (!options->linear_fdb_cap || options->linear_fdb_cap > HD_MAX_LID + 1)
		return hd_error_set(err, HD_EINVAL, "a linear table cannot have %u LIDs: 1 to %u",
				    options->linear_fdb_cap, HD_MAX_LID + 1);
	if (options->multicast_fdb_cap > MAX_MULTICAST_FDB)
		return hd_error_set(err, HD_EINVAL,
				    "a multicast table cannot have %u LIDs: at most %u",
				    options->multicast_fdb_cap, MAX_MULTICAST_FDB);
	if (!options->adapters.guids)
		options->adapters.guids = DEFAULT_GUIDS;
	return 0;
}

static bool allocate(struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;
	size_t n_ports = fabric->n_ports;

	emulator->ports = calloc(n_ports + 1, sizeof(*emulator->ports));
	emulator->switches = calloc(fabric->n_switches + (size_t)1, sizeof(*emulator->switches));
	emulator->errors = calloc(n_ports + 1, sizeof(*emulator->errors));
	emulator->counters = calloc(n_ports * HD_EMULATOR_VLS + 1, sizeof(*emulator->counters));
	emulator->xmit_waits = calloc(n_ports + 1, sizeof(*emulator->xmit_waits));
	emulator->sl2vl_first = calloc(fabric->n_nodes + (size_t)1, sizeof(*emulator->sl2vl_first));
	emulator->descriptions =
		calloc(fabric->n_nodes + (size_t)1, sizeof(*emulator->descriptions));
	if (!emulator->ports || !emulator->switches || !emulator->errors || !emulator->counters ||
	    !emulator->xmit_waits || !emulator->sl2vl_first || !emulator->descriptions)
		return false;
	hd_sl2vl_layout(fabric, emulator->sl2vl_first);
	emulator->sl2vl =
		calloc(emulator->sl2vl_first[fabric->n_nodes] + 1, sizeof(*emulator->sl2vl));
	return emulator->sl2vl && hd_vlarb_new(emulator) && hd_pkeys_new(emulator) &&
	       hd_guids_new(emulator) && hd_mkeys_new(emulator) && hd_traps_new(emulator) &&
	       hd_pma_new(emulator);
}

static void power_up(struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;

	hd_for_each_port(p, fabric)
		emulator->ports[p].peer = fabric->ports[p].peer;
	hd_for_each_node(n, fabric) {
		const char *name = hd_node_name(fabric, n);

		hd_node_reset(emulator, n);
		/* 64 bytes without an end are a whole NodeDescription */
		memcpy(emulator->descriptions[n], name,
		       strnlen(name, sizeof(emulator->descriptions[n])));
	}
	hd_for_each_port(p, fabric)
		if (fabric->ports[p].peer != HD_NONE)
			hd_link_update(emulator, p);
}

int hd_emulator_new(const struct hd_fabric *fabric, const struct hd_emulator_options *options,
		    const struct hd_emulator_host *host, struct hd_emulator **result,
		    struct hd_error *err)
{
	struct hd_emulator *emulator = calloc(1, sizeof(*emulator));
	int ret;

	*result = NULL;
	if (!emulator)
		return hd_error_nomem(err);
	emulator->fabric = fabric;
	emulator->options = *options;
	emulator->host = *host;
	emulator->outbox.flush = hd_transport_flush;
	ret = check_options(&emulator->options, err);
	if (!ret && !allocate(emulator))
		ret = hd_error_nomem(err);
	if (ret) {
		hd_emulator_free(emulator);
		return ret;
	}
	hd_random_init(&emulator->random, options->seed, 0);
	power_up(emulator);
	*result = emulator;
	return 0;
}

void hd_emulator_free(struct hd_emulator *emulator)
{
	if (!emulator)
		return;
	hd_timers_free(&emulator->timers);
	hd_outbox_free(&emulator->outbox);
	hd_faults_free(emulator);
	hd_pma_free(emulator);
	hd_traps_free(emulator);
	hd_mkeys_free(emulator);
	hd_guids_free(emulator);
	hd_pkeys_free(emulator);
	hd_vlarb_free(emulator);
	for (uint32_t s = 0; emulator->switches && s < emulator->fabric->n_switches; s++) {
		hd_switch_ar_reset(&emulator->switches[s]);
		free(emulator->switches[s].lft);
		free(emulator->switches[s].mft);
	}
	free(emulator->descriptions);
	free(emulator->sl2vl_first);
	free(emulator->sl2vl);
	free(emulator->xmit_waits);
	free(emulator->counters);
	free(emulator->errors);
	free(emulator->switches);
	free(emulator->ports);
	free(emulator);
}
