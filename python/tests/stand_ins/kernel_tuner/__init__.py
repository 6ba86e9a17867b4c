# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Stands in for kernel_tuner 1.4.0: names and signatures of what forewarp.kernel_tuner meets of it."""
