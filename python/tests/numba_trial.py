# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0


def has_nvvm():
    """Whether Numba and the NVVM that it finds go together: a trial, as versions of the two differ."""
    try:
        from numba import cuda, types

        def first(values):
            values[0] = 1

        cuda.compile_ptx(first, (types.float32[:],), cc=(7, 5))
    except Exception:  # whatever is not there
        return False
    return True
