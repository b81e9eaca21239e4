// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * libibumad's functions about adapters and ports. There is one adapter, the node that SIM_HOST
 * names; data that sysfs has on a real machine is asked from the node's own agent.
 */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/connection.h"
#include "simfabric/umad/export.h"
#include "simfabric/umad/ports.h"

#define PKEYS_PER_BLOCK 32

bool hd_is_our_ca(const char *ca_name)
{
	return !ca_name || !*ca_name || !strcmp(ca_name, HD_CA_NAME);
}

static int fail(int error)
{
	errno = -error;
	return error;
}

HD_EXPORT int umad_init(void)
{
	return 0;
}

HD_EXPORT int umad_done(void)
{
	return 0;
}

/* There is nothing to tell. */
HD_EXPORT int umad_debug(int level)
{
	return level < 0 ? 0 : level;
}

HD_EXPORT int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	if (max < 1)
		return 0;
	snprintf(cas[0], UMAD_CA_NAME_LEN, "%s", HD_CA_NAME);
	return 1;
}

/*
 * The rate of a link in Gb/s, rounded down, as sysfs has it: speeds per lane in units of 0.1 Gb/s.
 */
static unsigned rate_of(const uint8_t *port_info)
{
	static const unsigned speeds[] = { 0, 25, 50, 0, 100 };
	static const unsigned extended[] = { 0, 140, 250, 0, 500, 0, 0, 0, 1000 };
	unsigned speed = port_info[35] >> 4;
	unsigned speed_extended = port_info[62] >> 4;
	unsigned lanes = 0;

	switch (port_info[31]) {
	case 1:
		lanes = 1;
		break;
	case 2:
		lanes = 4;
		break;
	case 4:
		lanes = 8;
		break;
	case 8:
		lanes = 12;
		break;
	case 16:
		lanes = 2;
		break;
	}
	if (port_info[56] >> 5 & 3) /* LinkSpeedExtActive2: XDR */
		return lanes * 200;
	if (speed_extended && speed_extended <= 8)
		return lanes * extended[speed_extended] / 10;
	return speed <= 4 ? lanes * speeds[speed] / 10 : 0;
}

static int read_pkeys(umad_port_t *port, unsigned capacity)
{
	struct hd_ring_answer answer;
	int error;

	port->pkeys = calloc(capacity ? capacity : 1, sizeof(*port->pkeys));
	if (!port->pkeys)
		return -ENOMEM;
	port->pkeys_size = capacity;
	for (unsigned i = 0; i < capacity; i++) {
		if (i % PKEYS_PER_BLOCK == 0) {
			error = hd_umad_ask_attribute((unsigned)port->portnum,
						      HD_ATTRIBUTE_PKEY_TABLE, i / PKEYS_PER_BLOCK,
						      &answer);
			if (error)
				return error;
		}
		port->pkeys[i] = hd_get16(answer.data + 2 * (i % PKEYS_PER_BLOCK));
	}
	return 0;
}

/* @node_info is that of port number @number. */
static int read_port(unsigned number, const uint8_t *node_info, umad_port_t *port)
{
	struct hd_ring_answer answer;
	const uint8_t *info = answer.data;
	int error = hd_umad_ask_attribute(number, HD_ATTRIBUTE_PORT_INFO, number, &answer);
	uint64_t guid = hd_get64(node_info + 20);

	if (error)
		return error;
	memset(port, 0, sizeof(*port));
	snprintf(port->ca_name, sizeof(port->ca_name), "%s", HD_CA_NAME);
	snprintf(port->link_layer, sizeof(port->link_layer), "InfiniBand");
	port->portnum = (int)number;
	port->base_lid = hd_get16(info + 16);
	port->sm_lid = hd_get16(info + 18);
	port->lmc = info[34] & 7;
	port->sm_sl = info[36] & 15;
	port->state = info[32] & 15;
	port->phys_state = info[33] >> 4;
	port->rate = rate_of(info);
	port->capmask = htobe32(hd_get32(info + 20));
	port->gid_prefix = htobe64(hd_get64(info + 8));
	port->port_guid = htobe64(guid);
	error = read_pkeys(port, hd_get16(node_info + 28));
	if (error)
		umad_release_port(port);
	return error;
}

HD_EXPORT int umad_get_port(const char *ca_name, int portnum, umad_port_t *port)
{
	struct hd_ring_answer node;
	int error;

	if (!hd_is_our_ca(ca_name) || portnum < 0)
		return fail(-ENODEV);
	error = hd_umad_ask_attribute((unsigned)portnum, HD_ATTRIBUTE_NODE_INFO, 0, &node);
	if (!error)
		error = read_port(node.port, node.data, port);
	return error ? fail(error) : 0;
}

HD_EXPORT int umad_release_port(umad_port_t *port)
{
	free(port->pkeys);
	port->pkeys = NULL;
	port->pkeys_size = 0;
	return 0;
}

/* The number of the node's first and last end port. */
static void endports(const struct hd_ring_answer *node, unsigned *first, unsigned *last)
{
	bool is_switch = node->data[2] == 2;

	*first = is_switch ? 0 : 1;
	*last = is_switch ? 0 : node->data[3];
	if (*last >= UMAD_CA_MAX_PORTS)
		*last = UMAD_CA_MAX_PORTS - 1;
}

HD_EXPORT int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	struct hd_ring_answer node;
	const uint8_t *info = node.data;
	unsigned first, last;
	int error;

	if (!hd_is_our_ca(ca_name))
		return fail(-ENODEV);
	error = hd_umad_ask_attribute(0, HD_ATTRIBUTE_NODE_INFO, 0, &node);
	if (error)
		return fail(error);
	endports(&node, &first, &last);
	memset(ca, 0, sizeof(*ca));
	snprintf(ca->ca_name, sizeof(ca->ca_name), "%s", HD_CA_NAME);
	snprintf(ca->ca_type, sizeof(ca->ca_type), "simfabric");
	snprintf(ca->fw_ver, sizeof(ca->fw_ver), "%s", "0.0.0");
	snprintf(ca->hw_ver, sizeof(ca->hw_ver), "%x", hd_get32(info + 32));
	ca->node_type = info[2];
	ca->numports = (int)last;
	ca->system_guid = htobe64(hd_get64(info + 4));
	ca->node_guid = htobe64(hd_get64(info + 12));
	for (unsigned number = first; !error && number <= last; number++) {
		struct hd_ring_answer own;

		ca->ports[number] = calloc(1, sizeof(umad_port_t));
		error = ca->ports[number]
				? hd_umad_ask_attribute(number, HD_ATTRIBUTE_NODE_INFO, 0, &own)
				: -ENOMEM;
		if (!error)
			error = read_port(number, own.data, ca->ports[number]);
	}
	if (!error)
		return 0;
	umad_release_ca(ca);
	return fail(error);
}

HD_EXPORT int umad_release_ca(umad_ca_t *ca)
{
	for (unsigned number = 0; number < UMAD_CA_MAX_PORTS; number++) {
		if (!ca->ports[number])
			continue;
		umad_release_port(ca->ports[number]);
		free(ca->ports[number]);
		ca->ports[number] = NULL;
	}
	return 0;
}

HD_EXPORT int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max)
{
	umad_ca_t ca;
	int error = umad_get_ca(ca_name, &ca);
	int n;

	if (error)
		return error;
	n = ca.numports + 1;
	if (n > max) {
		umad_release_ca(&ca);
		return fail(-ENOMEM);
	}
	for (int number = 0; number < n; number++)
		portguids[number] = ca.ports[number] ? ca.ports[number]->port_guid : 0;
	umad_release_ca(&ca);
	return n;
}

HD_EXPORT struct umad_device_node *umad_get_ca_device_list(void)
{
	static const char name[] = HD_CA_NAME;
	struct umad_device_node *node = malloc(sizeof(*node) + sizeof(name));

	if (!node)
		return NULL;
	node->next = NULL;
	node->ca_name = memcpy(node + 1, name, sizeof(name));
	return node;
}

HD_EXPORT void umad_free_ca_device_list(struct umad_device_node *head)
{
	while (head) {
		struct umad_device_node *next = head->next;

		free(head);
		head = next;
	}
}

static int by_name(const void *a, const void *b)
{
	const struct umad_device_node *const *left = a, *const *right = b;

	return strcmp((*left)->ca_name, (*right)->ca_name);
}

/* A program may have built the list itself, of any length; 0: to be counted. */
HD_EXPORT int umad_sort_ca_device_list(struct umad_device_node **head, size_t size)
{
	struct umad_device_node **nodes, *node;
	size_t n = 0;

	for (node = *head; node; node = node->next)
		n++;
	if (size && size != n)
		return EINVAL;
	if (n < 2)
		return 0;
	nodes = malloc(n * sizeof(*nodes));
	if (!nodes)
		return ENOMEM;
	n = 0;
	for (node = *head; node; node = node->next)
		nodes[n++] = node;
	qsort(nodes, n, sizeof(*nodes), by_name);
	for (size_t i = 0; i < n; i++)
		nodes[i]->next = i + 1 < n ? nodes[i + 1] : NULL;
	*head = nodes[0];
	free(nodes);
	return 0;
}
