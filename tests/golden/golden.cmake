# SPDX-License-Identifier: Apache-2.0
# Reports of stored results, compared byte for byte; scripts/golden writes them anew.
forewarp_test_folder(golden golden_reports forewarp_report)
