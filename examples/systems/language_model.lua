-- SPDX-License-Identifier: Apache-2.0
-- A language model step by step, out of kernels that are predicted and collectives: reading a prompt (prefill), writing
-- tokens one by one (decode), or a training step. Ranks are numbered with tensor slices next to each other, then copies of
-- the data, then stages of the pipeline: tensor x data x stages = GPUs.
local v = sim.variables {
  phase = "decode",   -- prefill, decode, train
  layers = 32, hidden = 4096, heads = 32, key_heads = 32, width = 11008, words = 32000,
  experts = 0,        -- of each layer, of which a token sees `active`; 0: none
  active = 2,
  batch = 8,          -- sequences of one copy of the data; for train those of one microbatch
  prompt = 2048,      -- tokens of a sequence
  tokens = 1,         -- to be written
  tensor = 1, stages = 1,
  parts = 1,          -- microbatches of a training step
  sequence = "no",    -- yes: normalisation and addition are sliced by tokens, sums become two halves
  kernels = "../../validation/kernels/language_model.sass",
}

local tile, half = 128, 2
local function up(n, to) return (n + to - 1) // to * to end
local function whole(n, by, what)
  if n % by ~= 0 then error(what .. ": " .. n .. " is no multiple of " .. by) end
  return n // by
end

for name, value in pairs(v) do
  local least = name == "experts" and 0 or 1
  if type(value) == "number" and (value < least or value % 1 ~= 0) then error(name .. " = " .. value .. "; expected a whole number from " .. least) end
end
if v.sequence ~= "yes" and v.sequence ~= "no" then error("sequence is yes or no") end

-- Parts of the time, by name, of this rank.
local spent = {}
local function spend(name, seconds) spent[name] = (spent[name] or 0) + seconds end

-- Kernels follow each other in one stream, while the host launches ahead; what leaves the GPU waits for them.
local stream
local function launch(name, kernel, grid, block, args)
  spend(name, sim.kernel { input = v.kernels, kernel = kernel, grid = grid, block = block, args = args, timing = "device", name = name, stream = stream })
end

local function timed(name, act)
  sim.synchronise(stream)
  local begin = sim.now()
  act()
  spend(name, sim.now() - begin)
end

-- m x k by k x n; tiles are whole. Few rows: a warp for a column, whose values are read once.
local function product(name, m, n, k)
  local is_few = m <= 8
  m, n, k = is_few and m or up(m, tile), up(n, tile), up(k, 32)
  if is_few then
    return launch(name, "product_few", n // 8, 256,
      { { buffer = half * m * k }, { buffer = half * k * n }, { buffer = half * m * n }, m, n, k })
  end
  launch(name, "product", { n // tile, m // tile }, 256,
    { { buffer = half * m * k }, { buffer = half * k * n }, { buffer = half * m * n }, m, n, k })
end

local function each_token(name, kernel, rows, most, args) launch(name, kernel, rows, math.min(most, 1024), args) end

local place -- of this rank
local function placed()
  local data = whole(sim.size, v.tensor * v.stages, "GPUs")
  local rank = sim.rank
  place = { slice = rank % v.tensor, copy = rank // v.tensor % data, stage = rank // (v.tensor * data), copies = data }
  place.slices, place.same = {}, {}
  for i = 0, v.tensor - 1 do place.slices[i + 1] = rank - place.slice + i end
  for i = 0, data - 1 do place.same[i + 1] = rank + (i - place.copy) * v.tensor end
  place.layers = whole(v.layers, v.stages, "layers")
end

local exchanging = true -- no: of a pass whose data other ranks have already

-- After a product whose inner dimension is sliced: all slices need the sum.
local function add_up(rows)
  if v.tensor == 1 or not exchanging then return end
  local bytes = half * rows * v.hidden
  timed("sums over slices", function()
    if v.sequence == "yes" then
      sim.reduce_scatter(bytes, { group = place.slices })
      sim.all_gather(bytes, { group = place.slices })
    else
      sim.all_reduce(bytes, { group = place.slices })
    end
  end)
end

local function around(rows) -- normalisation before, addition after
  local own = v.sequence == "yes" and (rows + v.tensor - 1) // v.tensor or rows
  local data = { buffer = half * own * v.hidden }
  each_token("normalisation", "rms_norm", own, v.hidden, { data, data, { buffer = half * v.hidden }, 1e-5, own, v.hidden })
  local quads = own * v.hidden // 4
  launch("addition", "add_half", (quads + 127) // 128, 128, { { buffer = 8 * quads }, { buffer = 8 * quads }, { buffer = 8 * quads }, quads })
end

-- Of this slice: heads, those of keys and values (fewer than slices: each has one), and values of a head.
local function own_heads()
  local heads, size = whole(v.heads, v.tensor, "heads"), whole(v.hidden, v.heads, "hidden")
  local keys = v.key_heads < v.tensor and 1 or whole(v.key_heads, v.tensor, "key_heads")
  whole(heads, keys, "heads of a slice")
  return heads, keys, size
end

-- Weights of this rank: of its layers, and of the first and last stage's table of words.
local function weights_of_layer()
  local heads, keys, size = own_heads()
  local wide = 3 * v.hidden * whole(v.width, v.tensor, "width")
  return v.hidden * (2 * heads + 2 * keys) * size + v.hidden * v.experts + wide * (v.experts == 0 and 1 or whole(v.experts, place.copies, "experts"))
end

local function weights()
  local tables = (place.stage == 0 and 1 or 0) + (place.stage == v.stages - 1 and 1 or 0)
  return place.layers * weights_of_layer() + tables * v.hidden * whole(v.words, v.tensor, "words")
end

-- What stays in memory from the first token to the last: weights, and keys and values of all tokens; of training gradients
-- and what Adam keeps, and of each layer what its products read.
local function allocate()
  local heads, keys, size = own_heads()
  local rows = v.batch * (v.prompt + (v.phase == "decode" and v.tokens or 0))
  local scores = half * v.batch * heads * v.prompt ^ 2 -- of one layer; the backward pass reads those of all
  if v.phase ~= "decode" then sim.allocate(scores * (v.phase == "train" and v.parts * place.layers or 1)) end
  if v.phase ~= "train" then
    return sim.allocate(half * weights() + half * rows * place.layers * 2 * keys * size)
  end
  local of_token = 4 * v.hidden + 2 * (heads + keys) * size + 3 * v.width // v.tensor * (v.experts == 0 and 1 or v.active)
  sim.allocate((2 * half + 3 * 4) * weights() + half * rows * v.parts * place.layers * of_token)
end

-- `rows` tokens of `batch` sequences, each of which sees `seen`.
local function attention(rows, batch, seen)
  local heads, keys, size = own_heads()
  product("queries, keys, values", rows, (heads + 2 * keys) * size, v.hidden)
  local stride = (heads + 2 * keys) * size
  each_token("rotary embedding", "rotary_embedding", rows, math.min(heads * size // 2, 512),
    { { buffer = 8 * rows }, { buffer = half * rows * stride }, { buffer = half * rows * stride }, { buffer = half * math.max(4096, v.prompt + v.tokens) * size }, size, stride,
      stride, heads, keys, size })
  if rows == batch then
    if size ~= 128 then error("heads of " .. size .. " values; the kernel attends to 128") end
    local cache = { buffer = half * batch * keys * seen * size }
    launch("attention", "attend", { heads, batch }, 256,
      { { buffer = half * rows * heads * size }, { buffer = half * rows * heads * size }, cache, cache, seen, 0.088, heads // keys })
  else -- scores and values as two products, all heads and sequences one below the other
    product("attention", rows * heads, seen, size)
    product("attention", rows * heads, size, seen)
  end
  product("projection", rows, v.hidden, heads * size)
end

local function dense(rows)
  local own = whole(v.width, v.tensor, "width")
  product("feed forward", rows, 2 * own, v.hidden)
  each_token("activation", "silu_and_mul", rows, own, { { buffer = half * rows * own }, { buffer = 2 * half * rows * own }, own })
  product("feed forward", rows, v.hidden, own)
end

-- Each copy of the data keeps its part of the experts: tokens go to theirs and come back.
local function routed(rows)
  if v.experts == 0 then return dense(rows) end
  if v.active > v.experts then error("active = " .. v.active .. " of experts = " .. v.experts) end
  product("router", rows, v.experts, v.hidden)
  local wanted = rows * v.active * place.copies -- tokens of all copies, spread evenly
  local busy = math.min(v.experts, wanted)
  local here = math.min(whole(v.experts, place.copies, "experts"), (busy + place.copies - 1) // place.copies)
  local each = (wanted + busy - 1) // busy
  local function exchange()
    if place.copies == 1 or not exchanging then return end
    timed("tokens to experts", function() sim.all_to_all(half * rows * v.active * v.hidden // place.copies, { group = place.same }) end)
  end
  exchange()
  for _ = 1, here do dense(each) end
  exchange()
end

local function layer(rows, batch, seen)
  around(rows)
  attention(rows, batch, seen)
  add_up(rows)
  around(rows)
  routed(rows)
  add_up(rows)
end

local function words(rows) product("words", rows, whole(v.words, v.tensor, "words"), v.hidden) end

local function forward(rows, batch, seen) for _ = 1, place.layers do layer(rows, batch, seen) end end

local function last() return place.stage == v.stages - 1 end
local function neighbour(by) return sim.rank + by * v.tensor * place.copies end
local function hand_on(rows, by)
  sim.synchronise(stream)
  sim.isend(neighbour(by), half * rows * v.hidden // (v.sequence == "yes" and v.tensor or 1))
end
local function take(by) timed("waiting for a stage", function() sim.receive(neighbour(by)) end) end

local function pass(rows, batch, seen)
  if place.stage > 0 then take(-1) end
  forward(rows, batch, seen)
  if not last() then return hand_on(rows, 1) end
  words(v.phase == "train" and rows or batch) -- a prompt asks for its next token alone
end

local phases = {}

function phases.prefill() pass(v.batch * v.prompt, v.batch, v.prompt) end

-- The first stage begins a token when the last one has written the token before.
function phases.decode()
  local ends = (v.stages - 1) * v.tensor * place.copies
  for token = 1, v.tokens do
    if token > 1 and ends > 0 and place.stage == 0 then timed("waiting for a stage", function() sim.receive(sim.rank + ends) end) end
    pass(v.batch, v.batch, v.prompt + token)
    sim.synchronise(stream)
    if token < v.tokens and ends > 0 and last() then sim.isend(sim.rank - ends, 4 * v.batch) end
  end
end

function phases.train()
  local rows = v.batch * v.prompt
  for _ = 1, v.parts do pass(rows, v.batch, v.prompt) end
  for _ = 1, v.parts do -- twice the products of the forward pass, as many exchanges
    if last() then
      words(rows)
      words(rows)
    else
      take(1)
    end
    forward(rows, v.batch, v.prompt)
    exchanging = false
    forward(rows, v.batch, v.prompt)
    exchanging = true
    if place.stage > 0 then hand_on(rows, -1) end
  end
  if place.copies > 1 then -- of experts each copy has its own
    local shared = weights() - (v.experts == 0 and 0 or place.layers * 3 * v.hidden * v.width // v.tensor * v.experts // place.copies)
    timed("sums of gradients", function() sim.all_reduce(half * shared, { group = place.same }) end)
  end
  local quads = weights() // place.layers // 4 -- a launch for a layer's share
  local singles = { buffer = 16 * quads }
  for _ = 1, place.layers do
    launch("optimiser", "adam", (quads + 255) // 256, 256,
      { singles, singles, singles, { buffer = 8 * quads }, { buffer = 8 * quads }, 1e-4, 0.9, 0.95, quads })
  end
end

sim.process("RANK", function()
  placed()
  stream = sim.stream()
  local phase = phases[v.phase]
  if not phase then error("phase is prefill, decode or train") end
  allocate()
  phase()
  sim.synchronise(stream)
  local parts = 0
  for _, seconds in pairs(spent) do parts = parts + seconds end
  spend("waiting for launches", math.max(0, sim.now() - parts))
  timed("waiting for a stage", function() sim.barrier { group = "all" } end)
  if sim.rank ~= 0 then return end
  local names, seconds = {}, sim.now()
  for name in pairs(spent) do names[#names + 1] = name end
  table.sort(names, function(a, b) return spent[a] > spent[b] or spent[a] == spent[b] and a < b end)
  for _, name in ipairs(names) do print(string.format("%-24s %10.6f s  %5.1f %%", name, spent[name], 100 * spent[name] / seconds)) end
  local count = v.batch * place.copies * (v.phase == "decode" and v.tokens or v.prompt * (v.phase == "train" and v.parts or 1))
  sim.answer("tokens/s", count / seconds)
  print(string.format("%d tokens in %.6f s: %.1f tokens/s on %d GPUs", count, seconds, count / seconds, sim.size))
end)
