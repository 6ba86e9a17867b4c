-- SPDX-License-Identifier: Apache-2.0
-- Seconds of a kernel from counts per warp: Gajger 2017, eqs 4.1 to 4.6. Names that no line here
-- gives a value are attributes of the unit, or of its board.
function compute_time(p)
  local warps = p.gridSize * math.ceil(p.blockSize / warpSize)
  local cycles = math.max(p.CUDACoreInstructions * warpSize / CUDACores, p.issuedInstructions / schedulers,
                          p.GMEMBytesTransferred / GMEMThroughput)
  local rate = math.min(p.occupancy / p.latencyBound, 1 / cycles)
  return warps / (rate * SMs * p.kernelExecutionLambda) / (SMCoreClock * 1e6)
end
