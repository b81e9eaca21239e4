# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The Python package: where Debian's python3 looks, if the prefix is /usr; else PYTHONPATH has to name it.
heddlepythondir = $(prefix)/lib/python3/dist-packages/heddle
dist_heddlepython_DATA = \
	bindings/python/heddle/__init__.py \
	bindings/python/heddle/_native.py \
	bindings/python/heddle/py.typed
EXTRA_DIST += bindings/python/examples/tour.py
