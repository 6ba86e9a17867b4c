-- SPDX-License-Identifier: Apache-2.0
-- One training step with three kinds of parallelism: layers sliced over the GPUs of a machine, consecutive layers on the
-- stages of a pipeline, copies of all on their own data. Ranks: slices next to each other, then copies, then stages.
local v = sim.variables {
  tensor = 8, stages = 8, layers = 32, hidden = 8192, sequence = 2048,
  parts = 8,           -- microbatches of one sequence each
  reached = 4e14,      -- operations per second that products reach on one GPU
  value_bytes = 2,
}

sim.process("RANK", function()
  local copies = sim.size // (v.tensor * v.stages)
  local slice, copy, stage = sim.rank % v.tensor, sim.rank // v.tensor % copies, sim.rank // (v.tensor * copies)
  local slices, same = {}, {}
  for i = 0, v.tensor - 1 do slices[i + 1] = sim.rank - slice + i end
  for i = 0, copies - 1 do same[i + 1] = sim.rank + (i - copy) * v.tensor end
  local layers, rows = v.layers // v.stages, v.sequence
  local bytes = v.value_bytes * rows * v.hidden
  local half_layer = (24 * rows * v.hidden ^ 2 + 4 * rows * v.sequence * v.hidden) / 2 / v.tensor / v.reached
  local next, before = sim.rank + v.tensor * copies, sim.rank - v.tensor * copies
  local function pass(times)
    for _ = 1, 2 * layers do
      sim.kernel { seconds = times * half_layer, name = times == 1 and "forward" or "backward" }
      sim.all_reduce(bytes, { group = slices })
    end
  end
  for _ = 1, v.parts do
    if stage > 0 then sim.receive(before) end
    pass(1)
    if stage < v.stages - 1 then sim.isend(next, bytes // v.tensor) end
  end
  for _ = 1, v.parts do
    if stage < v.stages - 1 then sim.receive(next) end
    pass(2)
    if stage > 0 then sim.isend(before, bytes // v.tensor) end
  end
  sim.all_reduce(v.value_bytes * 12 * v.hidden ^ 2 * layers / v.tensor, { group = same })
end)
