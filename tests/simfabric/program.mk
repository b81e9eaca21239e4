# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The program simfabric, with stock programs on it where they are installed.
simfabric_program_tests = \
	tests/simfabric/clients.sh \
	tests/simfabric/command.sh \
	tests/simfabric/console.sh \
	tests/simfabric/opensm.sh \
	tests/simfabric/scripts.sh \
	tests/simfabric/udp.sh \
	tests/simfabric/usage.sh
EXTRA_DIST += tests/simfabric/program.sh tests/simfabric/client.pl
dist_check_SCRIPTS += $(simfabric_program_tests)
TESTS += $(simfabric_program_tests)
