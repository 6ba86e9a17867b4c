# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
class CupyFunctions:
    """What is replaced."""
