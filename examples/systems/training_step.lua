-- SPDX-License-Identifier: Apache-2.0
-- One training step of a transformer on all GPUs, in one of three ways:
--   data      every GPU has the whole model and its own batch; gradients are summed in a ring
--   tensor    every GPU has a slice of each layer; activations are summed twice a layer, both ways through
--   pipeline  every GPU has consecutive layers; a batch goes through in parts, forward, then backward
local v = sim.variables {
  strategy = "data",
  layers = 32,
  hidden = 4096,
  sequence = 2048,
  batch = 8, -- of one GPU for data, of all otherwise
  parts = 8, -- of a batch, for pipeline
  value_bytes = 2,
}

-- Multiplications and additions of one layer, forward; backward takes twice as many.
local function forward(batch)
  local tokens = batch * v.sequence
  return 24 * tokens * v.hidden ^ 2 + 4 * tokens * v.sequence * v.hidden
end

local function activations(batch)
  return v.value_bytes * batch * v.sequence * v.hidden
end

local steps = {}

function steps.data()
  sim.compute { name = "forward", operations = v.layers * forward(v.batch) }
  sim.compute { name = "backward", operations = 2 * v.layers * forward(v.batch) }
  sim.all_reduce(v.value_bytes * 12 * v.hidden ^ 2 * v.layers, { way = "ring" })
end

function steps.tensor()
  for _, pass in ipairs { { "forward", 1 }, { "backward", 2 } } do
    for _ = 1, v.layers do
      for _ = 1, 2 do -- attention, then the two linear layers after it
        sim.compute { name = pass[1], operations = pass[2] * forward(v.batch) / 2 / sim.size }
        sim.all_reduce(activations(v.batch), { way = "ring" })
      end
    end
  end
end

function steps.pipeline()
  local part = v.batch / v.parts
  local own = v.layers / sim.size * forward(part)
  local last = sim.size - 1
  for _ = 1, v.parts do
    if sim.rank > 0 then sim.receive(sim.rank - 1) end
    sim.compute { name = "forward", operations = own }
    if sim.rank < last then sim.isend(sim.rank + 1, activations(part)) end
  end
  for _ = 1, v.parts do
    if sim.rank < last then sim.receive(sim.rank + 1) end
    sim.compute { name = "backward", operations = 2 * own }
    if sim.rank > 0 then sim.isend(sim.rank - 1, activations(part)) end
  end
end

sim.process("RANK", function()
  local step = steps[v.strategy]
  if not step then error("strategy is data, tensor or pipeline") end
  step()
end)
