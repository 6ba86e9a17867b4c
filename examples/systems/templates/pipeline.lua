-- Items pass through a stage after the other; every process is a stage.
local v = sim.variables{items = 100, bytes = 1e6, operations = 1e8}

sim.process("CPU", function()
  for _ = 1, v.items do
    if sim.index > 0 then sim.receive("CPU:" .. sim.index - 1) end
    sim.compute{operations = v.operations}
    if sim.index + 1 < sim.count then sim.isend("CPU:" .. sim.index + 1, v.bytes) end
  end
end)
