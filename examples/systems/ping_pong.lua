-- Pairs of processes that send small messages to and fro: how many messages a second the simulation makes.
local v = sim.variables{rounds = 1000, bytes = 1024}

sim.process("W", function()
  local partner, send, receive, bytes = sim.rank ~ 1, sim.send, sim.receive, v.bytes
  if partner >= sim.size then return end
  local first = sim.rank < partner
  for _ = 1, v.rounds do
    if first then
      send(partner, bytes)
      receive(partner)
    else
      receive(partner)
      send(partner, bytes)
    end
  end
end)
