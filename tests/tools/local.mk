# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
tool_tests = \
	tests/tools/usage.sh \
	tests/tools/output.sh \
	tests/tools/list.sh \
	tests/tools/topo.sh \
	tests/tools/plan.sh \
	tests/tools/slurm.sh \
	tests/tools/reading.sh \
	tests/tools/packed.sh \
	tests/tools/ibdiagnet.sh \
	tests/tools/route.sh \
	tests/tools/classes.sh \
	tests/tools/qos.sh \
	tests/tools/between.sh \
	tests/tools/check.sh \
	tests/tools/rules.sh \
	tests/tools/show.sh \
	tests/tools/diff.sh \
	tests/tools/faults.sh \
	tests/tools/report.sh \
	tests/tools/draw.sh \
	tests/tools/sim.sh \
	tests/tools/parts.sh \
	tests/tools/series.sh \
	tests/tools/timeline.sh \
	tests/tools/threads.sh \
	tests/tools/adaptive.sh \
	tests/tools/groups.sh \
	tests/tools/ar.sh \
	tests/tools/ar-prover.sh \
	tests/tools/ar-mixtures.sh \
	tests/tools/graph500.sh \
	tests/tools/collectives.sh \
	tests/tools/chakra.sh \
	tests/tools/goal.sh \
	tests/tools/jobs.sh \
	tests/tools/history.sh \
	tests/tools/failed-host.sh \
	tests/tools/judge.sh \
	tests/tools/names.sh \
	tests/tools/man.sh \
	tests/tools/readme.sh \
	tests/tools/memory.sh \
	tests/tools/adversarial.sh \
	tests/tools/completion.sh \
	tests/tools/watch-files.sh tests/tools/watching.sh
TESTS += $(tool_tests)
# Numbers alone, of scenarios that other tests run as well; what mostly compiles; and the source, which is the same in all
# builds: sanitizers see nothing new there.
unsanitized_tests = tests/tools/figures.sh tests/tools/peers.sh tests/tools/recipes.sh tests/tools/circles.sh
if !SANITIZERS
TESTS += $(unsanitized_tests)
endif
dist_check_SCRIPTS += $(tool_tests) $(unsanitized_tests)
EXTRA_DIST += tests/lib/judge.py tests/lib/random_changes.py tests/lib/random_histories.py
EXTRA_DIST += tests/lib/ar_mixtures.py tests/lib/ar_prover.py tests/lib/ar_tables.py tests/lib/circles.py tests/tools/chakra_files.py tests/tools/failed_host.py tests/tools/goal_arithmetic.py tests/tools/recipes.py tests/tools/rooms.py tests/tools/tools.sh tests/lib/places.py tests/tools/refout
