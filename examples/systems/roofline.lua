-- SPDX-License-Identifier: Apache-2.0
-- Seconds of work that is limited by arithmetic or by memory. Names that no line here gives a value are
-- attributes of the unit.
function compute_time(p)
  return math.max((p.operations or 0) / operationsPerSecond, (p.bytes or 0) / bytesPerSecond)
end
