# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a browser must show. Sanitizers see nothing in it that tests/tools/report.sh does not show them.
browser_tests = tests/browser/report.sh
if !SANITIZERS
TESTS += $(browser_tests)
endif
dist_check_SCRIPTS += $(browser_tests)
EXTRA_DIST += tests/browser/report.py
