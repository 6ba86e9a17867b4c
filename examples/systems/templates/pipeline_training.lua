-- Pipeline-parallel training: the layers are spread over the GPUs; micro-batches go forward through all of them, then back.
local v = sim.variables{micro_batches = 32, forward_s = 0.004, backward_s = 0.008, activation_bytes = 2e7}

sim.process("GPU", function()
  local before, after = sim.index - 1, sim.index + 1
  local function pass(from, to, seconds, name)
    for _ = 1, v.micro_batches do
      if from >= 0 and from < sim.count then sim.receive("GPU:" .. from, {tag = name == "forward" and 1 or 2}) end
      sim.kernel{seconds = seconds, name = name}
      if to >= 0 and to < sim.count then sim.isend("GPU:" .. to, v.activation_bytes, {tag = name == "forward" and 1 or 2}) end
    end
  end
  pass(before, after, v.forward_s, "forward")
  pass(after, before, v.backward_s, "backward")
end)
