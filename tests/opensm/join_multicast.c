// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Joins the port that it runs on to multicast groups that the subnet administrator has already:
 *
 *	join_multicast MGID...
 *
 * Membership outlives the process. Prints each group's MLID.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <infiniband/mad.h>

#define TIMEOUT_MS    2000
#define METHOD_SET    2
#define ATTR_MCMEMBER 0x38
/* component mask bits of MCMemberRecord, and where the fields are */
#define MASK_MGID       (UINT64_C(1) << 0)
#define MASK_PORT_GID   (UINT64_C(1) << 1)
#define MASK_JOIN_STATE (UINT64_C(1) << 16)
#define AT_PORT_GID     16
#define AT_MLID         36
#define AT_JOIN_STATE   48
#define FULL_MEMBER     1

static int join(const char *text, const ibmad_gid_t *self, ib_portid_t *sa,
		struct ibmad_port *srcport)
{
	uint8_t record[IB_SA_DATA_SIZE] = { 0 };
	ib_sa_call_t call = {
		.attrid = ATTR_MCMEMBER,
		.method = METHOD_SET,
		.mask = MASK_MGID | MASK_PORT_GID | MASK_JOIN_STATE,
	};

	if (inet_pton(AF_INET6, text, record) != 1) {
		fprintf(stderr, "'%s' is no MGID\n", text);
		return 2;
	}
	memcpy(record + AT_PORT_GID, self, 16);
	record[AT_JOIN_STATE] = FULL_MEMBER;
	if (!sa_rpc_call(srcport, record, sa, &call, TIMEOUT_MS)) {
		fprintf(stderr, "%s: not joined\n", text);
		return 1;
	}
	printf("0x%04x\n", record[AT_MLID] << 8 | record[AT_MLID + 1]);
	return 0;
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS }, ret = 0, number;
	struct ibmad_port *srcport = mad_rpc_open_port(NULL, 0, classes, 3);
	ib_portid_t self = { 0 }, sa = { 0 };
	ibmad_gid_t gid;

	if (!srcport) {
		fputs("no port\n", stderr);
		return 2;
	}
	if (ib_resolve_self_via(&self, &number, &gid, srcport) ||
	    ib_resolve_smlid_via(&sa, TIMEOUT_MS, srcport)) {
		fputs("no subnet administrator\n", stderr);
		ret = 2;
	}
	sa.qp = 1;
	sa.qkey = IB_DEFAULT_QP1_QKEY;
	for (int i = 1; i < argc && !ret; i++)
		ret = join(argv[i], &gid, &sa, srcport);
	mad_rpc_close_port(srcport);
	return ret;
}
