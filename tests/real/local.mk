# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests over recorded fabrics that are not part of the source tree; they skip where these are absent.
real_tests = tests/real/heddle.sh tests/real/reading.sh tests/real/trees.sh
TESTS += $(real_tests)
dist_check_SCRIPTS += $(real_tests)
