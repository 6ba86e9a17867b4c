-- SPDX-License-Identifier: Apache-2.0
-- Two arrays to the GPU, a kernel, one array back: the application of Gajger 2017, Fig. 5.23. The host
-- waits after each array, as a blocking copy does.
local v = sim.variables {
  numElements = 400000000,
  computeIntensity = 128,
  blockSize = 256,
  occupancy = 64.0,
  issuedBase = 26, -- 23 in the text of section 5.2.3
}

local bytes = 4.0 * v.numElements

sim.process("CPU", function()
  sim.isend("GPU", bytes)
  sim.receive("GPU")
  sim.isend("GPU", bytes)
  sim.receive("GPU")
end)

sim.process("GPU", function()
  sim.receive("CPU")
  sim.notify("CPU")
  sim.receive("CPU")
  sim.compute {
    name = "saxpy2",
    CUDACoreInstructions = 23 + 4 * v.computeIntensity,
    issuedInstructions = v.issuedBase + 4 * v.computeIntensity,
    GMEMBytesTransferred = 384,
    latencyBound = 942 + 24 * v.computeIntensity,
    blockSize = v.blockSize,
    gridSize = (v.numElements + v.blockSize - 1) // v.blockSize,
    occupancy = v.occupancy,
    kernelExecutionLambda = 0.703787,
  }
  sim.isend("CPU", bytes)
end)
