-- SPDX-License-Identifier: Apache-2.0
-- Four programs with pageable copies. Memory that a program only allocates is untouched: the copy
-- back is the first to write to it.
local v = sim.variables {
  kernel = "vector_add",
  n = 10000000,
  kernel_ms = 0.2, -- forewarp predict says it for each kernel and size
}

local square, vector, groups = 4 * v.n * v.n, 4 * v.n, 4 * ((v.n + 63) // 64)
local programs = {
  matrix_vector = { into = { square, vector }, back = vector, memory = "untouched" },
  dot_product = { into = { vector, vector }, back = groups, memory = "untouched" },
  vector_add = { into = { vector, vector }, back = vector, memory = "pageable" }, -- cleared before
  matrix_sum = { into = {}, back = square, memory = "untouched" }, -- its clock starts after the copies
}

sim.process("APP", function()
  local program = programs[v.kernel]
  for _, bytes in ipairs(program.into) do
    sim.copy("h2d", bytes)
  end
  sim.kernel { seconds = v.kernel_ms / 1e3, name = v.kernel }
  sim.copy("d2h", program.back, { memory = program.memory })
end)
