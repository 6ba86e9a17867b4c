# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
class InvalidConfig(str):
    pass


class CompilationFailedConfig(str):
    pass


class RuntimeFailedConfig(str):
    pass
