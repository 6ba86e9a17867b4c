-- Data-parallel training: every GPU computes a step on its own data, then all add up their gradients.
local v = sim.variables{
  steps = 100,
  step_s = 0.12,          -- of one GPU: forward and backward
  gradient_bytes = 2.8e9,
  way = "hierarchical",
  level = "auto",
}

sim.process("GPU", function()
  for _ = 1, v.steps do
    sim.kernel{seconds = v.step_s, name = "step"}
    sim.all_reduce(v.gradient_bytes, {way = v.way, level = v.level})
  end
end)
