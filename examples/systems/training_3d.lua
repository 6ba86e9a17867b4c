-- SPDX-License-Identifier: Apache-2.0
-- One training step with three kinds of parallelism: layers sliced over the GPUs of a machine, consecutive layers on the
-- stages of a pipeline, copies of all on their own data. Ranks: slices next to each other, then copies, then stages.
local v = sim.variables {
  tensor = 8, stages = 8, layers = 32, hidden = 8192, sequence = 2048,
  parts = 8,           -- microbatches of one sequence each
  reached = 4e14,      -- operations per second that products reach on one GPU
  value_bytes = 2,
}

local spent = {} -- seconds of the first rank, by what it does
local function timed(name, act)
  if sim.rank ~= 0 then return act() end
  local begin = sim.now()
  act()
  spent[name] = (spent[name] or 0) + sim.now() - begin
end

local function print_parts()
  local names, seconds = {}, sim.now()
  for name in pairs(spent) do names[#names + 1] = name end
  table.sort(names, function(a, b) return spent[a] > spent[b] end)
  for _, name in ipairs(names) do print(string.format("%-20s %10.6f s  %5.1f %%", name, spent[name], 100 * spent[name] / seconds)) end
end

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
      local name = times == 1 and "forward" or "backward"
      timed(name, function() sim.kernel { seconds = times * half_layer, name = name } end)
      timed("sums over slices", function() sim.all_reduce(bytes, { group = slices }) end)
    end
  end
  for _ = 1, v.parts do
    if stage > 0 then timed("waits for a stage", function() sim.receive(before) end) end
    pass(1)
    if stage < v.stages - 1 then sim.isend(next, bytes // v.tensor) end
  end
  for _ = 1, v.parts do
    if stage < v.stages - 1 then timed("waits for a stage", function() sim.receive(next) end) end
    pass(2)
    if stage > 0 then sim.isend(before, bytes // v.tensor) end
  end
  timed("sums of gradients", function() sim.all_reduce(v.value_bytes * 12 * v.hidden ^ 2 * layers / v.tensor, { group = same }) end)
  if sim.rank == 0 then print_parts() end
end)
