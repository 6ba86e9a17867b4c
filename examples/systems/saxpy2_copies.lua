-- SPDX-License-Identifier: Apache-2.0
-- The validation program of Gajger 2017, Fig. 6.1: two arrays to the GPU, a kernel, one array back.
-- Around each of the three stands a timer that waits for its events and prints.
local v = sim.variables {
  n = 1000000,
  a = 128,
  block = 256,
  timers = 3,
}

local bytes = 4 * v.n

sim.process("APP", function()
  sim.copy("h2d", bytes)
  sim.copy("h2d", bytes)
  sim.kernel {
    input = "../saxpy2.sass",
    grid = (v.n + v.block - 1) // v.block,
    block = v.block,
    args = { n = v.n, a = v.a, x = { buffer = bytes }, y = { buffer = bytes } },
    clock_mhz = 1253,
  }
  sim.copy("d2h", bytes)
  sim.calls(v.timers)
end)
