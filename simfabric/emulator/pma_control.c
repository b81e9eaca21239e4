// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ClassPortInfo (13.4.8.1) and PortSamplesControl (16.1.3.2). */
#include "simfabric/emulator/pma.h"

#define ALL_PORT_SELECT 0x0100
#define EXTENDED_WIDTH  0x0200
#define XMIT_WAIT       0x1000
#define RESPONSE_TIME   18 /* 4.096 us * 2^18: about a second */

unsigned hd_pma_class_port_info(struct hd_pma_request *request)
{
	const struct hd_fabric *fabric = request->emulator->fabric;
	bool is_switch = hd_is_switch(fabric, fabric->ports[request->first].node);
	uint8_t *data = request->data;

	/* a Set could only write where to send traps, and there are no traps */
	if (request->set)
		return HD_STATUS_BAD_ATTRIBUTE;
	memset(data, 0, HD_PM_DATA_SIZE);
	data[0] = 1; /* base version */
	data[1] = 1; /* class version */
	hd_put16(data + 2, (is_switch ? ALL_PORT_SELECT : 0) | EXTENDED_WIDTH | XMIT_WAIT);
	data[7] = RESPONSE_TIME;
	return HD_STATUS_OK;
}

/* There is nothing to take samples with: no mechanism, no counter, and no sampling under way. */
unsigned hd_pma_samples_control(struct hd_pma_request *request)
{
	uint8_t select = request->data[1];

	if (request->set)
		return HD_STATUS_BAD_ATTRIBUTE;
	memset(request->data, 0, HD_PM_DATA_SIZE);
	request->data[1] = select;
	return HD_STATUS_OK;
}
