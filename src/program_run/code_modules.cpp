// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/code_modules.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "execution/lowering/kernel_lowering.h"
#include "input/binary/byte_fields.h"
#include "input/binary/fat_binary.h"

namespace forewarp::program_run {
namespace {

constexpr std::uint64_t most_fat_binary = 1ULL << 32;  // no program has a larger one

request::Case case_of(const CodeModule& module, std::string_view mangled) {
  request::Case request;
  request.input = module.input;
  request.kernel = mangled;
  return request;
}

/// Where the handles of the textures that the kernel names lie, behind its parameters.
void find_textures(const Kernel& kernel, Function& function) {
  for (const SymbolAddress& address : kernel.symbol_addresses) {
    if (address.symbol >= kernel.symbols.size() || address.offset < kernel.parameter_base) continue;
    const ModuleSymbol& symbol = kernel.symbols[address.symbol];
    if (symbol.space != MemorySpace::texture) continue;
    const auto offset = static_cast<std::uint32_t>(address.offset) - kernel.parameter_base;
    function.textures.push_back({offset, symbol.mangled});
    function.parameter_bytes =
        std::max<std::uint32_t>(function.parameter_bytes, offset + sizeof(std::uint32_t));
  }
}

std::uint8_t* bytes_at(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address);  // NOLINT: an address of this process
}

}  // namespace

std::uint32_t Function::dynamic_shared_limit(const SmLimits& limits) const {
  const std::uint32_t fixed = code.kernel->resources.static_shared.value_or(0);
  return most_dynamic_shared.value_or(limits.shared_per_block -
                                      std::min(limits.shared_per_block, fixed));
}

std::string_view fat_binary_at(const void* begin) {
  constexpr std::size_t header_bytes = 16;
  const auto* text = static_cast<const char*>(begin);
  const std::string_view header(text, header_bytes);
  if (!starts_as_fat_binary(header)) return {};
  const auto header_size = field<std::uint16_t>(header, 6);
  const auto size = field<std::uint64_t>(header, 8);
  if (size > most_fat_binary) return {};
  return {text, header_size + size};
}

CodeModule* CodeModules::add(std::string bytes) {
  auto made = std::make_unique<CodeModule>();
  made->input = "the program's module " + std::to_string(++modules_made_);
  made->bytes = bytes;
  predictor_->give_input(made->input, std::move(bytes));
  modules_.push_back(std::move(made));
  return modules_.back().get();
}

bool CodeModules::has(const CodeModule* module) const {
  return std::any_of(modules_.begin(), modules_.end(),
                     [&](const auto& kept) { return kept.get() == module; });
}

void CodeModules::remove(CodeModule* module) {
  const auto belongs = [&](const auto& entry) { return entry.second.module == module; };
  std::erase_if(functions_, belongs);
  std::erase_if(variables_, belongs);
  std::erase_if(textures_, belongs);
  if (module->globals != 0) memory_->release(module->globals);
  for (const auto& [number, bank] : module->banks) memory_->release(bank.address);
  predictor_->forget_input(module->input);
  std::erase_if(modules_, [&](const auto& kept) { return kept.get() == module; });
}

void CodeModules::register_function(const void* host, CodeModule* module, std::string mangled) {
  module->names.push_back(mangled);
  functions_[host] = {module, std::move(mangled), 0, nullptr};
}

void CodeModules::register_variable(const void* host, CodeModule* module, std::string mangled,
                                    std::uint64_t bytes) {
  variables_[host] = {module, std::move(mangled), bytes, nullptr};
}

void CodeModules::register_texture(const void* host, CodeModule* module, std::string mangled,
                                   bool as_float) {
  textures_[host] = {module, std::move(mangled), as_float, 0};
}

TextureVariable* CodeModules::texture_of(const void* host) {
  const auto found = textures_.find(host);
  return found == textures_.end() ? nullptr : &found->second;
}

void CodeModules::put_textures(const Function& function, std::vector<std::uint8_t>& parameters) {
  for (const Function::TexturePlace& place : function.textures) {
    const auto bound = function.module->textures.find(place.name);
    const std::uint32_t handle = bound == function.module->textures.end() ? 0 : bound->second;
    std::memcpy(parameters.data() + place.offset, &handle, sizeof handle);
  }
}

Expected<Function*> CodeModules::function_of(const void* host) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) return static_cast<Function*>(nullptr);
  Registered& registered = found->second;
  if (registered.function != nullptr) return registered.function;
  auto made = function(*registered.module, registered.mangled);
  if (made) registered.function = *made;
  return made;
}

const void* CodeModules::host_of(const Function* function) const {
  const auto found = std::find_if(functions_.begin(), functions_.end(), [&](const auto& entry) {
    return entry.second.function == function;
  });
  return found == functions_.end() ? nullptr : found->first;
}

Expected<Function*> CodeModules::function(CodeModule& module, std::string_view mangled) {
  const auto known = module.functions.find(mangled);
  if (known != module.functions.end()) return known->second.get();
  const auto board = predictor_->gpu(gpu_, options_);
  if (!board) return board.error();
  auto code = predictor_->kernel(case_of(module, mangled), **board, options_);
  if (!code) return code.error();
  if (auto done = place(module, *code->kernel); !done) return done.error();
  auto image = prediction::module_image(*code->kernel, {}, module.globals);
  if (!image) return image.error();
  fill(module, *code->kernel, *image);
  fill_unused(module, *code->kernel);
  auto made = std::make_unique<Function>();
  made->module = &module;
  made->id = ++functions_made_;
  made->mangled = mangled;
  made->placed = *code->kernel;
  prediction::put_addresses(made->placed, *image);
  auto program = execution::lower_kernel(made->placed);
  if (!program) return program.error();
  made->program = *std::move(program);
  for (const Parameter& parameter : code->kernel->parameters) {
    made->parameter_bytes = std::max(made->parameter_bytes, parameter.offset + parameter.size);
  }
  find_textures(*code->kernel, *made);
  made->code = *std::move(code);
  return module.functions.emplace(mangled, std::move(made)).first->second.get();
}

/// Gives the module's variables their places, as the symbols of any of its kernels tell them.
Expected<void> CodeModules::place(CodeModule& module, const Kernel& kernel) {
  if (module.placed) return {};
  module.placed = true;
  std::uint64_t globals = 0;
  std::map<std::uint32_t, std::uint64_t> banks;
  for (const ModuleSymbol& symbol : kernel.symbols) {
    const std::uint64_t end = symbol.offset + symbol.size;
    if (symbol.space == MemorySpace::global) globals = std::max(globals, end);
    if (symbol.space == MemorySpace::constant) {
      banks[symbol.bank] = std::max(banks[symbol.bank], end);
    }
  }
  const auto refuse = [&] {
    return Diagnostic{module.input, "its variables do not fit into the device's memory", "", ""};
  };
  if (globals != 0) {
    module.globals = memory_->allocate(globals, MemoryKind::module, 0);
    if (module.globals == 0) return refuse();
    if (module.managed) memory_->set_host_writes(module.globals);
  }
  for (const auto& [number, bytes] : banks) {
    const std::uint64_t address = memory_->allocate(bytes, MemoryKind::module, 0);
    if (address == 0) return refuse();
    module.banks[number] = {address, bytes};
  }
  fill_banks(module, kernel);
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (symbol.space == MemorySpace::texture) continue;
    const std::uint64_t begin =
        symbol.space == MemorySpace::global ? module.globals : module.banks[symbol.bank].address;
    module.variables[symbol.mangled] = {begin + symbol.offset, symbol.size};
  }
  return {};
}

void CodeModules::fill_banks(CodeModule& module, const Kernel& kernel) {
  for (const auto& [number, place] : module.banks) {
    for (const ConstantData& data : kernel.constant_banks) {
      if (data.bank != number) continue;
      std::memcpy(bytes_at(place.address), data.bytes.data(),
                  std::min<std::size_t>(place.bytes, data.bytes.size()));
    }
  }
}

void CodeModules::fill_again() {
  for (const auto& module : modules_) {
    if (!module->placed) continue;
    module->filled.clear();
    module->filled_unused.clear();
    for (const auto& [name, variable] : module->variables) {
      std::memset(bytes_at(variable.address), 0, variable.bytes);
      memory_->changed(variable.address);
    }
    for (const auto& [name, function] : module->functions) {
      const Kernel& kernel = *function->code.kernel;
      fill_banks(*module, kernel);
      const auto image = prediction::module_image(kernel, {}, module->globals);
      if (image) fill(*module, kernel, *image);
      fill_unused(*module, kernel);
    }
  }
}

/// Initial contents of the variables that this kernel uses and that have none yet.
void CodeModules::fill(CodeModule& module, const Kernel& kernel,
                       const prediction::ModuleImage& image) {
  for (const execution::ExecutionBuffer& buffer : image.buffers) {
    const auto symbol =
        std::find_if(kernel.symbols.begin(), kernel.symbols.end(), [&](const ModuleSymbol& other) {
          return other.space == MemorySpace::global &&
                 module.globals + other.offset == buffer.address && other.size == buffer.bytes;
        });
    if (symbol == kernel.symbols.end() || !module.filled.insert(symbol->mangled).second) continue;
    std::memcpy(bytes_at(buffer.address), buffer.data.data(),
                std::min<std::size_t>(buffer.bytes, buffer.data.size()));
    memory_->changed(buffer.address);
  }
}

void CodeModules::fill_unused(CodeModule& module, const Kernel& kernel) {
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (symbol.space != MemorySpace::global || symbol.used || symbol.content.empty()) continue;
    if (module.filled.contains(symbol.mangled) ||
        !module.filled_unused.insert(symbol.mangled).second)
      continue;
    const std::uint64_t address = module.globals + symbol.offset;
    std::memcpy(bytes_at(address), symbol.content.data(),
                std::min<std::size_t>(symbol.size, symbol.content.size()));
    memory_->changed(address);
  }
}

Expected<const Variable*> CodeModules::variable_of(const void* host) {
  const auto found = variables_.find(host);
  if (found == variables_.end()) return static_cast<const Variable*>(nullptr);
  return variable(*found->second.module, found->second.mangled);
}

Expected<const Variable*> CodeModules::variable(CodeModule& module, std::string_view mangled) {
  // What the host writes is not overwritten when a kernel that uses the variable comes: all
  // kernels come first.
  std::optional<Diagnostic> failure;
  if (module.names.empty()) {  // the driver interface registers none
    const auto board = predictor_->gpu(gpu_, options_);
    if (!board) return board.error();
    auto names = predictor_->kernels(case_of(module, ""), **board, options_);
    if (!names) return names.error();
    module.names = *std::move(names);
  }
  for (const std::string& name : module.names) {
    if (auto made = function(module, name); !made) failure = made.error();
  }
  const auto found = module.variables.find(mangled);
  if (found != module.variables.end()) return &found->second;
  if (failure) return *std::move(failure);
  return static_cast<const Variable*>(nullptr);
}

std::vector<execution::ConstantBank> CodeModules::banks_of(const Function& function) const {
  auto image = prediction::module_image(*function.code.kernel, {}, function.module->globals);
  std::vector<execution::ConstantBank> banks;
  if (image) banks = std::move(image->banks);
  for (const auto& [number, place] : function.module->banks) {
    auto bank = std::find_if(banks.begin(), banks.end(),
                             [&](const auto& other) { return other.bank == number; });
    if (bank == banks.end()) bank = banks.insert(banks.end(), {number, {}, {}, 0});
    bank->address = place.address;
    if (bank->bytes.size() < place.bytes) {
      bank->bytes.resize(place.bytes);
      if (!bank->known.empty()) bank->known.resize(place.bytes, 1);
    }
    std::memcpy(bank->bytes.data(), bytes_at(place.address), place.bytes);
  }
  return banks;
}

}  // namespace forewarp::program_run
