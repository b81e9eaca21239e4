// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libibumad's functions on the header that precedes a MAD in a program's buffer. */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

#include "simfabric/umad/export.h"

HD_EXPORT void *umad_get_mad(void *umad)
{
	return ((struct ib_user_mad *)umad)->data;
}

HD_EXPORT size_t umad_size(void)
{
	return sizeof(struct ib_user_mad);
}

HD_EXPORT int umad_status(void *umad)
{
	return (int)((const struct ib_user_mad *)umad)->status;
}

HD_EXPORT ib_mad_addr_t *umad_get_mad_addr(void *umad)
{
	return &((struct ib_user_mad *)umad)->addr;
}

/*
 * The two functions differ in the byte order of the flow label only: this one copies it as it is.
 */
HD_EXPORT int umad_set_grh_net(void *umad, void *mad_addr)
{
	struct ib_user_mad *mad = umad;
	const struct ib_mad_addr *address = mad_addr;

	mad->addr.grh_present = address != NULL;
	if (!address)
		return 0;
	memcpy(mad->addr.gid, address->gid, sizeof(mad->addr.gid));
	mad->addr.flow_label = address->flow_label;
	mad->addr.hop_limit = address->hop_limit;
	mad->addr.traffic_class = address->traffic_class;
	mad->addr.gid_index = address->gid_index;
	return 0;
}

HD_EXPORT int umad_set_grh(void *umad, void *mad_addr)
{
	struct ib_user_mad *mad = umad;

	umad_set_grh_net(umad, mad_addr);
	if (mad_addr)
		mad->addr.flow_label = htobe32((uint32_t)mad->addr.flow_label);
	return 0;
}

HD_EXPORT int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey)
{
	struct ib_user_mad *mad = umad;

	mad->addr.lid = dlid;
	mad->addr.qpn = dqp;
	mad->addr.sl = (uint8_t)sl;
	mad->addr.qkey = qkey;
	return 0;
}

HD_EXPORT int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey)
{
	return umad_set_addr_net(umad, htobe16((uint16_t)dlid), htobe32((uint32_t)dqp), sl,
				 htobe32((uint32_t)qkey));
}

HD_EXPORT int umad_set_pkey(void *umad, int pkey_index)
{
	((struct ib_user_mad *)umad)->addr.pkey_index = (uint16_t)pkey_index;
	return 0;
}

HD_EXPORT int umad_get_pkey(void *umad)
{
	return ((const struct ib_user_mad *)umad)->addr.pkey_index;
}

HD_EXPORT void umad_addr_dump(ib_mad_addr_t *address)
{
	char gid[2 * sizeof(address->gid) + 1];

	for (size_t i = 0; i < sizeof(address->gid); i++)
		snprintf(gid + 2 * i, 3, "%02x", address->gid[i]);
	fprintf(stderr,
		"qpn %u qkey 0x%x lid %u sl %u\n"
		"grh_present %u gid_index %u hop_limit %u traffic_class %u flow_label 0x%x "
		"pkey_index 0x%x\nGid 0x%s\n",
		be32toh(address->qpn), be32toh(address->qkey), be16toh(address->lid), address->sl,
		address->grh_present, address->gid_index, address->hop_limit,
		address->traffic_class, be32toh(address->flow_label), address->pkey_index, gid);
}

HD_EXPORT void umad_dump(void *umad)
{
	struct ib_user_mad *mad = umad;

	fprintf(stderr, "agent_id %u status 0x%x timeout_ms %u\n", mad->agent_id, mad->status,
		mad->timeout_ms);
	umad_addr_dump(&mad->addr);
}
