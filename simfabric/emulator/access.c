// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/access.h"

#include <stdlib.h>
#include <unistd.h>

struct hd_access_user {
	uid_t user;
	uint32_t n;
};

void hd_access_init(struct hd_access *access)
{
	*access = (struct hd_access){ .per_user = HD_ACCESS_PER_USER };
}

void hd_access_free(struct hd_access *access)
{
	free(access->users);
	access->users = NULL;
	access->n_users = 0;
}

bool hd_access_allows(const struct hd_access *access, uid_t user)
{
	/* UDP is served on request only, and tells nothing about users */
	return access->any_user || user == HD_NO_USER || user == 0 || user == geteuid();
}

/* The entry of @user, or an entry that is not in use; NULL: out of memory. */
static struct hd_access_user *find(struct hd_access *access, uid_t user)
{
	struct hd_access_user *free_place = NULL, *grown;

	for (size_t i = 0; i < access->n_users; i++) {
		if (access->users[i].n && access->users[i].user == user)
			return &access->users[i];
		if (!access->users[i].n)
			free_place = &access->users[i];
	}
	if (!free_place) {
		grown = realloc(access->users, (access->n_users + 1) * sizeof(*grown));
		if (!grown)
			return NULL;
		access->users = grown;
		free_place = &grown[access->n_users++];
	}
	*free_place = (struct hd_access_user){ .user = user };
	return free_place;
}

const char *hd_access_enter(struct hd_access *access, uid_t user)
{
	struct hd_access_user *entry;

	if (!hd_access_allows(access, user))
		return "the fabric is another user's";
	entry = find(access, user);
	if (!entry)
		return "out of memory";
	if (entry->n >= access->per_user)
		return "the user has too many clients";
	entry->n++;
	return NULL;
}

void hd_access_leave(struct hd_access *access, uid_t user)
{
	struct hd_access_user *entry = find(access, user);

	if (entry && entry->n)
		entry->n--;
}
