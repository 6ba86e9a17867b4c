-- Tensor-parallel training: every layer is split over the GPUs of a group, which add up its result twice forward and twice back.
local v = sim.variables{layers = 32, forward_s = 0.002, backward_s = 0.004, activation_bytes = 3.3e7}

sim.process("GPU", function()
  local function pass(seconds, name)
    for _ = 1, v.layers do
      for _ = 1, 2 do                                       -- attention, then the rest
        sim.kernel{seconds = seconds / 2, name = name}
        sim.all_reduce(v.activation_bytes, {way = "hierarchical"})
      end
    end
  end
  pass(v.forward_s, "forward")
  pass(v.backward_s, "backward")
end)
