-- Geometric parallelism: a ring of domains; each step computes, exchanges its borders with both neighbours, and agrees on a residual.
local v = sim.variables{steps = 10, cells = 1e8, operations_per_cell = 10, border_bytes = 8e5}

sim.process("CPU", function()
  local right, left = (sim.index + 1) % sim.count, (sim.index - 1) % sim.count
  for _ = 1, v.steps do
    sim.compute(v.cells / sim.count, function(n) return v.operations_per_cell * n end)
    local a = sim.isend("CPU:" .. right, v.border_bytes, {tag = 1})
    local b = sim.isend("CPU:" .. left, v.border_bytes, {tag = 2})
    sim.receive("CPU:" .. left, {tag = 1})
    sim.receive("CPU:" .. right, {tag = 2})
    sim.wait(a)
    sim.wait(b)
    sim.all_reduce(8, {way = "tree"})
  end
end)
