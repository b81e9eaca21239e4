// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/watch.h"

void hd_watch(struct hd_emulator *emulator, struct hd_watcher *watcher)
{
	watcher->next = emulator->watchers;
	emulator->watchers = watcher;
}

void hd_watch_leave(struct hd_emulator *emulator, struct hd_watcher *watcher)
{
	for (struct hd_watcher **at = &emulator->watchers; *at; at = &(*at)->next)
		if (*at == watcher) {
			*at = watcher->next;
			return;
		}
}

void hd_watch_begin(struct hd_emulator *emulator)
{
	emulator->watched_depth++;
}

void hd_watch_touch(struct hd_emulator *emulator, uint32_t node)
{
	emulator->changes++;
	for (const struct hd_watcher *w = emulator->watchers; w; w = w->next)
		if (w->touched)
			w->touched(w->context, node);
}

void hd_watch_end(struct hd_emulator *emulator, const struct hd_occurrence *what)
{
	if (--emulator->watched_depth)
		return;
	for (const struct hd_watcher *w = emulator->watchers; w; w = w->next)
		if (w->happened)
			w->happened(w->context, what);
}
