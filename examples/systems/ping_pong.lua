-- Pairs of processes that send small messages to and fro: how many messages a second the simulation makes.
local v = sim.variables{rounds = 1000, bytes = 1024}

sim.process("W", function()
  local partner = sim.rank ~ 1
  if partner >= sim.size then return end
  for _ = 1, v.rounds do
    if sim.rank % 2 == 0 then
      sim.send(partner, v.bytes)
      sim.receive(partner)
    else
      sim.receive(partner)
      sim.send(partner, v.bytes)
    end
  end
end)
