// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks have an order: a block waits for what another one writes. What each must take
// at least is n edges times one edge (scripts/show/order_kernels.py).

// Blocks take turns by their index: one edge per block.
extern "C" __global__ void turn_by_index(volatile unsigned* turn, unsigned* log) {
  if (threadIdx.x != 0) return;
  while (*turn != blockIdx.x) {
  }
  log[blockIdx.x] = 1;
  __threadfence();
  *turn = blockIdx.x + 1;
}

// The same in the order in which blocks started.
extern "C" __global__ void turn_by_ticket(unsigned* ticket, volatile unsigned* turn, unsigned* log) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(ticket, 1u);
  while (*turn != mine) {
  }
  log[mine] = blockIdx.x;
  __threadfence();
  *turn = mine + 1;
}

// Polls with an atomic that changes nothing.
extern "C" __global__ void turn_by_atomic(unsigned* ticket, unsigned* turn, unsigned* log) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(ticket, 1u);
  while (atomicAdd(turn, 0u) < mine) {
  }
  log[mine] = blockIdx.x;
  __threadfence();
  atomicAdd(turn, 1u);
}

// Each block adds its sum to what its predecessor has published.
extern "C" __global__ void chained_scan(const float* in, float* out, float* prefix,
                                        volatile unsigned* flag) {
  __shared__ float before;
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = in[at];
  if (threadIdx.x == 0) {
    float sum = 0;
    if (blockIdx.x > 0) {
      while (flag[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      sum = ((volatile float*)prefix)[blockIdx.x - 1];
    }
    prefix[blockIdx.x] = sum + own;
    __threadfence();
    flag[blockIdx.x] = 1;
    before = sum;
  }
  __syncthreads();
  out[at] = own + before;
}

// Look-back over a window of 32 predecessors; the status is 1 for a block's own sum, 2 for all up to it.
extern "C" __global__ void look_back(const unsigned* in, unsigned* out, unsigned* ticket,
                                     volatile unsigned long long* state) {
  __shared__ unsigned tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned mine = tile, at = mine * blockDim.x + threadIdx.x;
  const unsigned own = in[at];
  const unsigned sum = __syncthreads_count(own != 0);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      state[mine] = (mine == 0 ? 2ull : 1ull) << 32 | sum;
      if (mine == 0) before = 0;
    }
    unsigned prefix = 0;
    int last = int(mine) - 1;
    while (last >= 0) {
      const int one = last - int(threadIdx.x);
      unsigned long long word = 2ull << 32;
      if (one >= 0) {
        do {
          word = state[one];
        } while ((word >> 32) == 0);
      }
      __syncwarp();
      const unsigned whole = __ballot_sync(0xffffffffu, (word >> 32) == 2);
      const unsigned upto = whole == 0 ? 31 : __ffs(whole) - 1;
      unsigned part = threadIdx.x <= upto ? unsigned(word) : 0;
      for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);
      prefix += part;
      if (whole != 0) break;
      last -= 32;
    }
    if (threadIdx.x == 0 && mine > 0) {
      state[mine] = 2ull << 32 | (prefix + sum);
      before = prefix;
    }
  }
  __syncthreads();
  out[at] = before + own;
}

// A lock by compare and swap around ten instructions; every block takes it `rounds` times.
extern "C" __global__ void spin_lock(unsigned* lock, volatile unsigned* value, unsigned rounds) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < rounds; ++i) {
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    __threadfence();
    *value = *value * 5 + 1;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

// A lock for each of `buckets` words, a power of two: every thread takes the one of its key once.
extern "C" __global__ void bucket_locks(unsigned* lock, float* sum, unsigned buckets) {
  const unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u >> 12 & (buckets - 1);
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock[key], 0u, 1u) == 0u) {
      sum[key] += 1;
      __threadfence();
      atomicExch(&lock[key], 0u);
      done = true;
    }
  }
}

// One lock for all, sleeping between attempts.
extern "C" __global__ void sleeping_lock(unsigned* lock, volatile unsigned* value, unsigned ns) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0u, 1u) != 0u) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(ns);
#endif
  }
  __threadfence();
  *value = *value + 1;
  __threadfence();
  atomicExch(lock, 0u);
}

// Ticket lock: served in the order of arrival.
extern "C" __global__ void ticket_lock(unsigned* next, volatile unsigned* serving, unsigned* value,
                                       unsigned rounds) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < rounds; ++i) {
    const unsigned mine = atomicAdd(next, 1u);
    while (*serving != mine) {
    }
    __threadfence();
    *(volatile unsigned*)value = *(volatile unsigned*)value + 1;
    __threadfence();
    *serving = mine + 1;
  }
}

// The last block to arrive sums up what all have written.
extern "C" __global__ void last_block(const float* in, float* parts, float* out, unsigned* done) {
  __shared__ float sums[32];
  __shared__ bool last;
  float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) all += sums[i];
    parts[blockIdx.x] = all;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += ((volatile float*)parts)[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) all += sums[i];
    *out = all;
  }
}

// The last block to arrive sums up alone in one thread: a chain of loads.
extern "C" __global__ void last_block_serial(volatile unsigned* next, unsigned* done, unsigned* out,
                                             unsigned hops) {
  if (threadIdx.x != 0) return;
  next[blockIdx.x] = (blockIdx.x + 1) % gridDim.x;
  __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  unsigned at = 0;
  for (unsigned i = 0; i < hops; ++i) at = next[at];
  *out = at;
}

// Items from a counter; item i takes `light` steps, every `every`th one `heavy` steps.
extern "C" __global__ void work_queue(unsigned* next, float* out, unsigned items, unsigned light,
                                      unsigned heavy, unsigned every) {
  __shared__ unsigned item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1u);
    __syncthreads();
    const unsigned mine = item;
    __syncthreads();
    if (mine >= items) return;
    const unsigned steps = mine % every == 0 ? heavy : light;
    float a = float(mine);
#pragma unroll 1
    for (unsigned i = 0; i < steps; ++i) a = a * 0.5f + 1.0f;
    out[mine * blockDim.x + threadIdx.x] = a;
  }
}

// Each block first empties its own queue, then those of the blocks behind it.
extern "C" __global__ void work_stealing(unsigned* queues, float* out, unsigned own_items,
                                         unsigned steps) {
  if (threadIdx.x != 0) return;
  for (unsigned k = 0; k < gridDim.x; ++k) {
    const unsigned victim = (blockIdx.x + k) % gridDim.x;
    const unsigned items = victim == 0 ? own_items * gridDim.x : own_items;
    for (;;) {
      const unsigned mine = atomicAdd(queues + victim, 1u);
      if (mine >= items) break;
      float a = float(mine);
#pragma unroll 1
      for (unsigned i = 0; i < steps; ++i) a = a * 0.5f + 1.0f;
      out[victim] = a;
    }
  }
}

// A barrier of the whole grid by a counter.
extern "C" __global__ void counter_barrier(unsigned* count, unsigned steps) {
  for (unsigned i = 1; i <= steps; ++i) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (*(volatile unsigned*)count < i * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

// Two blocks hand one word to and fro.
extern "C" __global__ void ping_pong(volatile unsigned* ball, unsigned rounds) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < rounds; ++i) {
    while (*ball != 2 * i + blockIdx.x) {
    }
    *ball = 2 * i + blockIdx.x + 1;
  }
}

// A pipeline: block b takes item i from block b - 1 and passes it on.
extern "C" __global__ void pipeline(volatile unsigned* stage, unsigned items) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i <= items; ++i) {
    if (blockIdx.x > 0) {
      while (stage[(blockIdx.x - 1) * 32] < i) {
      }
    }
    stage[blockIdx.x * 32] = i;
  }
}

// A wavefront: a block waits for its left and upper neighbour.
extern "C" __global__ void wavefront(volatile unsigned* done) {
  if (threadIdx.x != 0) return;
  const unsigned x = blockIdx.x, y = blockIdx.y, pitch = gridDim.x;
  if (x > 0) {
    while (done[y * pitch + x - 1] == 0) {
    }
  }
  if (y > 0) {
    while (done[(y - 1) * pitch + x] == 0) {
    }
  }
  __threadfence();
  done[y * pitch + x] = 1;
}

// A maximum of floats by compare and swap on one word; values ascend with the index.
extern "C" __global__ void maximum_by_swap(unsigned* most) {
  if (threadIdx.x != 0) return;
  const float mine = float(blockIdx.x + 1);
  unsigned old = *(volatile unsigned*)most;
  while (__uint_as_float(old) < mine) {
    const unsigned seen = atomicCAS(most, old, __float_as_uint(mine));
    if (seen == old) break;
    old = seen;
  }
}

// Fences, one after the other.
extern "C" __global__ void device_fences(unsigned* out, unsigned n) {
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) __threadfence();
  if (threadIdx.x == 0) out[blockIdx.x] = n;
}
extern "C" __global__ void system_fences(unsigned* out, unsigned n) {
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) __threadfence_system();
  if (threadIdx.x == 0) out[blockIdx.x] = n;
}

// Sleeps and waits by the clock.
extern "C" __global__ void sleeps(unsigned* out, unsigned n, unsigned ns) {
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(ns);
#endif
  }
  if (threadIdx.x == 0) out[blockIdx.x] = n;
}
extern "C" __global__ void clock_wait(unsigned* out, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
extern "C" __global__ void timer_wait(unsigned* out, unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < ns);
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

// Atomics on one word whose results are needed, one after the other.
extern "C" __global__ void atomic_chain(unsigned* word, unsigned* out, unsigned n) {
  if (threadIdx.x != 0) return;
  unsigned at = 0;
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) at = atomicAdd(word + (at & 0x80000000u), 1u);
  out[blockIdx.x] = at;
}
