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
constexpr std::uint32_t first_device = 0;              // whose memory has managed variables

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

void fill_banks(const ModuleCopy& copy, const Kernel& kernel) {
  for (const auto& [number, place] : copy.banks) {
    for (const ConstantData& data : kernel.constant_banks) {
      if (data.bank != number) continue;
      std::memcpy(bytes_at(place.address), data.bytes.data(),
                  std::min<std::size_t>(place.bytes, data.bytes.size()));
    }
  }
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

CodeModule* CodeModules::add(std::string bytes, std::optional<std::uint32_t> device) {
  auto made = std::make_unique<CodeModule>();
  made->device = device;
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
  for (const auto& [device, copy] : module->copies) release(copy);
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

Expected<Function*> CodeModules::function_of(const void* host, std::uint32_t device) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) return static_cast<Function*>(nullptr);
  Registered& registered = found->second;
  if (registered.function != nullptr) return registered.function;
  auto made = function(*registered.module, registered.mangled, device);
  if (made) registered.function = *made;
  return made;
}

const void* CodeModules::host_of(const Function* function) const {
  const auto found = std::find_if(functions_.begin(), functions_.end(), [&](const auto& entry) {
    return entry.second.function == function;
  });
  return found == functions_.end() ? nullptr : found->first;
}

Expected<Function*> CodeModules::function(CodeModule& module, std::string_view mangled,
                                          std::uint32_t device) {
  const auto known = module.functions.find(mangled);
  if (known != module.functions.end()) {
    Function* const function = known->second.get();
    if (auto done = place(*function, module.device_for(device)); !done) return done.error();
    return function;
  }
  auto made = load(module, mangled);
  if (!made) return made.error();
  if (auto done = place(**made, module.device_for(device)); !done) return done.error();
  (*made)->id = ++functions_made_;
  return module.functions.emplace(mangled, *std::move(made)).first->second.get();
}

Expected<std::unique_ptr<Function>> CodeModules::load(CodeModule& module,
                                                      std::string_view mangled) {
  const auto board = predictor_->gpu(gpu_, options_);
  if (!board) return board.error();
  auto code = predictor_->kernel(case_of(module, mangled), **board, options_);
  if (!code) return code.error();
  auto made = std::make_unique<Function>();
  made->module = &module;
  made->mangled = mangled;
  for (const Parameter& parameter : code->kernel->parameters) {
    made->parameter_bytes = std::max(made->parameter_bytes, parameter.offset + parameter.size);
  }
  const Opcode leaving = find_opcode("PREEXIT");
  made->lets_next_begin = std::ranges::any_of(
      code->kernel->instructions, [&](const auto& each) { return each.opcode == leaving; });
  find_textures(*code->kernel, *made);
  made->code = *std::move(code);
  return made;
}

Expected<void> CodeModules::place(Function& function, std::uint32_t device) {
  if (function.placed.contains(device)) return {};
  if (!function.module->managed.empty() && !function.placed.contains(first_device)) {
    if (auto done = place_on(function, first_device); !done) return done;
    if (device == first_device) return {};
  }
  return place_on(function, device);
}

Expected<void> CodeModules::place_on(Function& function, std::uint32_t device) {
  const Kernel& kernel = *function.code.kernel;
  const auto copy = copy_on(*function.module, kernel, device);
  if (!copy) return copy.error();
  const auto image = prediction::module_image(kernel, {}, (*copy)->globals, (*copy)->apart);
  if (!image) return image.error();
  fill(**copy, kernel, *image);
  fill_unused(**copy, kernel);
  if (image->operands.empty() && !function.placed.empty()) {
    function.placed.emplace(device, function.placed.begin()->second);
    return {};
  }
  auto placed = std::make_shared<PlacedCode>();
  placed->kernel = kernel;
  prediction::put_addresses(placed->kernel, *image);
  auto program = execution::lower_kernel(placed->kernel);
  if (!program) return program.error();
  placed->program = *std::move(program);
  function.placed.emplace(device, std::move(placed));
  return {};
}

/// The module's variables on a device, with their places as the symbols of any of its kernels tell
/// them.
Expected<ModuleCopy*> CodeModules::copy_on(CodeModule& module, const Kernel& kernel,
                                           std::uint32_t device) {
  const auto known = module.copies.find(device);
  if (known != module.copies.end()) return &known->second;
  ModuleCopy copy;
  if (!reserve(copy, kernel, device)) {
    release(copy);
    return Diagnostic{module.input, "its variables do not fit into the device's memory", "", ""};
  }
  fill_banks(copy, kernel);
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (symbol.space == MemorySpace::texture) continue;
    const std::uint64_t begin =
        symbol.space == MemorySpace::global ? copy.globals : copy.banks[symbol.bank].address;
    copy.variables[symbol.mangled] = {begin + symbol.offset, symbol.size};
  }
  if (!module.managed.empty()) share_managed(module, copy, device);
  return &module.copies.emplace(device, std::move(copy)).first->second;
}

/// Memory for all variables. False: there is not enough.
bool CodeModules::reserve(ModuleCopy& copy, const Kernel& kernel, std::uint32_t device) {
  std::uint64_t globals = 0;
  std::map<std::uint32_t, std::uint64_t> banks;
  for (const ModuleSymbol& symbol : kernel.symbols) {
    const std::uint64_t end = symbol.offset + symbol.size;
    if (symbol.space == MemorySpace::global) globals = std::max(globals, end);
    if (symbol.space == MemorySpace::constant) {
      banks[symbol.bank] = std::max(banks[symbol.bank], end);
    }
  }
  if (globals != 0) {
    copy.globals = memory_->allocate(globals, MemoryKind::module, device);
    if (copy.globals == 0) return false;
  }
  for (const auto& [number, bytes] : banks) {
    const std::uint64_t address = memory_->allocate(bytes, MemoryKind::module, device);
    if (address == 0) return false;
    copy.banks[number] = {address, bytes};
  }
  return true;
}

/// Managed variables are those of the first device's copy, which is there before the others.
void CodeModules::share_managed(const CodeModule& module, ModuleCopy& copy, std::uint32_t device) {
  if (device == first_device) {
    if (copy.globals != 0) memory_->set_host_writes(copy.globals);
    return;
  }
  for (const auto& [name, variable] : module.copies.at(first_device).variables) {
    if (!module.managed.contains(name)) continue;
    copy.variables[name] = variable;
    copy.apart[name] = variable.address;
  }
}

void CodeModules::release(const ModuleCopy& copy) {
  if (copy.globals != 0) memory_->release(copy.globals);
  for (const auto& [number, bank] : copy.banks) memory_->release(bank.address);
}

void CodeModules::fill_again(std::uint32_t device) {
  for (const auto& module : modules_) {
    const auto known = module->copies.find(device);
    if (known == module->copies.end()) continue;
    ModuleCopy& copy = known->second;
    copy.filled.clear();
    copy.filled_unused.clear();
    for (const auto& [name, variable] : copy.variables) {
      if (copy.apart.contains(name)) continue;
      std::memset(bytes_at(variable.address), 0, variable.bytes);
      memory_->changed(variable.address);
    }
    for (const auto& [name, function] : module->functions) {
      if (!function->placed.contains(device)) continue;
      const Kernel& kernel = *function->code.kernel;
      fill_banks(copy, kernel);
      const auto image = prediction::module_image(kernel, {}, copy.globals, copy.apart);
      if (image) fill(copy, kernel, *image);
      fill_unused(copy, kernel);
    }
  }
}

/// Initial contents of the variables that this kernel uses and that have none yet.
void CodeModules::fill(ModuleCopy& copy, const Kernel& kernel,
                       const prediction::ModuleImage& image) {
  for (const execution::ExecutionBuffer& buffer : image.buffers) {
    const auto symbol =
        std::find_if(kernel.symbols.begin(), kernel.symbols.end(), [&](const ModuleSymbol& other) {
          return other.space == MemorySpace::global &&
                 copy.globals + other.offset == buffer.address && other.size == buffer.bytes;
        });
    if (symbol == kernel.symbols.end() || !copy.filled.insert(symbol->mangled).second) continue;
    std::memcpy(bytes_at(buffer.address), buffer.data.data(),
                std::min<std::size_t>(buffer.bytes, buffer.data.size()));
    memory_->changed(buffer.address);
  }
}

void CodeModules::fill_unused(ModuleCopy& copy, const Kernel& kernel) {
  for (const ModuleSymbol& symbol : kernel.symbols) {
    if (symbol.space != MemorySpace::global || symbol.used || symbol.content.empty()) continue;
    if (copy.filled.contains(symbol.mangled) || !copy.filled_unused.insert(symbol.mangled).second)
      continue;
    const std::uint64_t address = copy.globals + symbol.offset;
    std::memcpy(bytes_at(address), symbol.content.data(),
                std::min<std::size_t>(symbol.size, symbol.content.size()));
    memory_->changed(address);
  }
}

Expected<const Variable*> CodeModules::variable_of(const void* host, std::uint32_t device) {
  const auto found = variables_.find(host);
  if (found == variables_.end()) return static_cast<const Variable*>(nullptr);
  return variable(*found->second.module, found->second.mangled, device);
}

Expected<const Variable*> CodeModules::variable(CodeModule& module, std::string_view mangled,
                                                std::uint32_t device) {
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
    if (auto made = function(module, name, device); !made) failure = made.error();
  }
  const auto copy = module.copies.find(module.device_for(device));
  if (copy != module.copies.end()) {
    const auto found = copy->second.variables.find(mangled);
    if (found != copy->second.variables.end()) return &found->second;
  }
  if (failure) return *std::move(failure);
  return static_cast<const Variable*>(nullptr);
}

std::vector<execution::ConstantBank> CodeModules::banks_of(const Function& function,
                                                           const ModuleCopy& copy) {
  auto image = prediction::module_image(*function.code.kernel, {}, copy.globals, copy.apart);
  std::vector<execution::ConstantBank> banks;
  if (image) banks = std::move(image->banks);
  for (const auto& [number, place] : copy.banks) {
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
