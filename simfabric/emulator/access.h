/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The users that carriers admit: abstract sockets have no permissions of their own, so every user
 * of the machine can reach them. Counts the clients of each user.
 */
#ifndef HD_EMULATOR_ACCESS_H
#define HD_EMULATOR_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_ACCESS_PER_USER 4096 /* the default of per_user */
#define HD_NO_USER         ((uid_t)-1)

struct hd_access_user;

struct hd_access {
	bool any_user;     /* admit all users, not only root and the user whose process this is */
	uint32_t per_user; /* clients, and connections that may become some, of one user */

	/* The rest is private. */
	struct hd_access_user *users;
	size_t n_users;
};

void hd_access_init(struct hd_access *access);
void hd_access_free(struct hd_access *access);

/* Whether @user may be a client at all. */
bool hd_access_allows(const struct hd_access *access, uid_t user);

/*
 * Counts one more client of @user (HD_NO_USER: a client over UDP). NULL: admitted; call
 * hd_access_leave() later. Otherwise the reason of the refusal, for a message.
 */
const char *hd_access_enter(struct hd_access *access, uid_t user);
void hd_access_leave(struct hd_access *access, uid_t user);

#endif
