-- Prefill and decode of a transformer whose layers are split over all GPUs: one long pass over the prompt, then a short one for each token.
local v = sim.variables{
  layers = 32, prompt = 2048, tokens = 64, batch = 8, hidden = 4096, bytes_per_value = 2,
  prefill_s_per_token = 2e-8,   -- of a layer and a sequence on all GPUs together: it computes
  decode_s = 5e-5,              -- of a layer: it reads the weights, whatever the batch
}

sim.process("GPU", function()
  local function layers(seconds, tokens, name)
    for _ = 1, v.layers do
      sim.kernel{seconds = seconds, name = name}
      sim.all_reduce(v.batch * tokens * v.hidden * v.bytes_per_value, {way = "hierarchical"})
    end
  end
  layers(v.prefill_s_per_token * v.prompt * v.batch, v.prompt, "prefill")
  for _ = 1, v.tokens do layers(v.decode_s, 1, "decode") end
end)
