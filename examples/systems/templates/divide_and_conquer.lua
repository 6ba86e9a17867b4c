-- A sort by merging: data are halved down a binary tree of processes, sorted in its leaves, and merged on the way back.
local v = sim.variables{elements = 1e8, element_bytes = 8, operations = 4}

sim.process("CPU", function()
  local n, step = v.elements, 1
  while step * 2 <= sim.count do step = step * 2 end
  local top = step
  if sim.index > 0 then
    local low = sim.index & -sim.index                      -- who gave us our part
    step = low // 2
    n = sim.receive("CPU:" .. sim.index - low) / v.element_bytes
  else
    step = top // 2
  end
  local first = step
  while step >= 1 do
    if sim.index + step < sim.count then
      sim.send("CPU:" .. sim.index + step, n / 2 * v.element_bytes)
      n = n / 2
    end
    step = step // 2
  end
  sim.compute(n, function(m) return v.operations * m * math.log(m, 2) end)
  step = 1
  while step <= first do
    if sim.index + step < sim.count then
      local bytes = sim.receive("CPU:" .. sim.index + step)
      n = n + bytes / v.element_bytes
      sim.compute{operations = v.operations * n}
    end
    step = step * 2
  end
  if sim.index > 0 then sim.send("CPU:" .. sim.index - (sim.index & -sim.index), n * v.element_bytes) end
end)
