// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/ended.h"

#include <signal.h>
#include <stddef.h>

#include "support/temporary.h"

static void remove_and_end(int number)
{
	hd_temporary_remove_all();
	/* SA_RESETHAND: this ends the process as soon as the handler returns */
	raise(number);
}

void hd_ended_remove_temporary(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = remove_and_end, .sa_flags = SA_RESETHAND };
	struct sigaction old;

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		/* what is ignored stays so, as nohup has it */
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
}
