// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/onward.h"

static void wake(void *context, uint32_t host, uint64_t time)
{
	const struct hd_onward *onward = context;

	if (time < onward->until)
		onward->actions->wake(onward->actions->context, host, time);
}

static void completed(void *context, uint64_t now, uint64_t time, uint64_t bytes)
{
	const struct hd_onward *onward = context;

	hd_traffic_completed(onward->actions, now, time, bytes);
}

static void exhausted(void *context)
{
	const struct hd_onward *onward = context;

	hd_traffic_exhausted(onward->actions);
}

struct hd_traffic_actions hd_onward_actions(struct hd_onward *onward,
					    void (*send)(void *context,
							 const struct hd_message *message))
{
	return (struct hd_traffic_actions){ send, wake, onward, completed, exhausted };
}
