-- SPDX-License-Identifier: Apache-2.0
-- A transformer that answers, each layer sliced over all GPUs: the prompt is read in one go (prefill), then
-- tokens come one by one (decode). A layer ends twice in a sum over the GPUs.
local v = sim.variables {
  layers = 32,
  hidden = 4096,
  batch = 8,
  prompt = 2048,
  tokens = 16, -- written, each after the one before
  value_bytes = 2,
}

-- One pass of `new` tokens a sequence, which see `seen` tokens.
local function pass(name, new, seen, way)
  local rows = v.batch * new
  local operations = 24 * rows * v.hidden ^ 2 + 4 * rows * seen * v.hidden
  local weights = 12 * v.hidden ^ 2
  local cache = 2 * v.batch * seen * v.hidden
  for _ = 1, v.layers do
    for _ = 1, 2 do
      sim.compute {
        name = name,
        operations = operations / 2 / sim.size,
        bytes = v.value_bytes * (weights + cache) / 2 / sim.size,
      }
      sim.all_reduce(v.value_bytes * rows * v.hidden, { way = way })
    end
  end
end

sim.process("RANK", function()
  pass("prefill", v.prompt, v.prompt, "ring")
  if sim.rank == 0 then print(string.format("first token after %.6f s", sim.now())) end
  for token = 1, v.tokens do
    pass("decode", 1, v.prompt + token, "tree")
  end
end)
