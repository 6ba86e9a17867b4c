-- The first process hands out pieces of work to whoever is free; the others compute and send results back.
local v = sim.variables{pieces = 64, bytes = 1e7, operations = 1e9, result_bytes = 1e6}

sim.process("CPU", function()
  if sim.index > 0 then
    while true do
      sim.send("CPU:0", 1)                                  -- free
      if sim.receive("CPU:0") == 0 then return end          -- nothing left
      sim.compute{operations = v.operations}
      sim.send("CPU:0", v.result_bytes, {tag = 1})
    end
  end
  local out, left = 0, v.pieces
  local stopped = 0
  while stopped < sim.count - 1 do
    local _, free = sim.receive()
    if left > 0 then
      left = left - 1
      sim.isend(free, v.bytes)
      out = out + 1
    else
      sim.isend(free, 0)
      stopped = stopped + 1
    end
  end
  for _ = 1, out do sim.receive(nil, {tag = 1}) end
end)
