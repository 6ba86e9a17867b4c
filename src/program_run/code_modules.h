// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "execution/lowering/program.h"
#include "execution/storage/device_image.h"
#include "prediction/arguments/module_image.h"
#include "program_run/device_memory.h"

namespace forewarp::program_run {

struct CodeModule;

/// A kernel's code with the addresses of its module's variables on a device.
struct PlacedCode {
  Kernel kernel;
  execution::Program program;  ///< refers to it
};

/// A kernel, ready to be executed.
struct Function {
  CodeModule* module = nullptr;
  std::uint32_t id = 0;  ///< in the journal; from 1 on
  std::string mangled;
  prediction::LoadedKernel code;
  /// By device, on those that used it; devices share code without addresses.
  std::map<std::uint32_t, std::shared_ptr<const PlacedCode>> placed;
  std::uint32_t parameter_bytes = 0;
  bool lets_next_begin = false;  ///< it has griddepcontrol.launch_dependents (PREEXIT)
  struct TexturePlace {
    std::uint32_t offset = 0;  ///< of a handle, in the parameter area
    std::string name;          ///< of the texture, mangled
  };
  std::vector<TexturePlace> textures;                ///< that the code names
  std::optional<std::uint32_t> most_dynamic_shared;  ///< bytes, as the program set it
  /// Bytes of a block's dynamic shared memory with which it may be launched.
  [[nodiscard]] std::uint32_t dynamic_shared_limit(const SmLimits& limits) const;
};

/// A variable of a module, once it has a place.
struct Variable {
  std::uint64_t address = 0, bytes = 0;
};

/// A module's variables in the memory of a device.
struct ModuleCopy {
  std::uint64_t globals = 0;                ///< where they begin; 0: it has none
  execution::PlacesApart apart;             ///< managed ones, where they are another device's
  std::map<std::uint32_t, Variable> banks;  ///< constant banks that variables lie in, by number
  std::map<std::string, Variable, std::less<>> variables;  ///< by mangled name
  std::set<std::string, std::less<>> filled;  ///< variables that have their initial content
  /// Variables that have it for the host, as no kernel so far uses them.
  std::set<std::string, std::less<>> filled_unused;
};

/// One fatbin, cubin or PTX of the program, and its variables in the devices' memory.
struct CodeModule {
  std::string input;  ///< the name under which the predictor has its bytes
  std::string bytes;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions;  ///< those used, by name
  std::vector<std::string> names;       ///< of its kernels, mangled, as far as they are known
  std::optional<std::uint32_t> device;  ///< that it was loaded on; none: on all that use it
  std::map<std::uint32_t, ModuleCopy> copies;  ///< by device, on those that used it
  /// Variables that the host writes by itself. All devices share them, in the first one's memory.
  std::set<std::string, std::less<>> managed;
  /// Handles of the textures that code names, by mangled name; none: nothing is bound.
  std::map<std::string, std::uint32_t, std::less<>> textures;

  /// The device whose copy is used while this one is current.
  [[nodiscard]] std::uint32_t device_for(std::uint32_t current) const {
    return device.value_or(current);
  }
};

/// A texture reference of the program.
struct TextureVariable {
  CodeModule* module = nullptr;
  std::string mangled;
  bool as_float = false;        ///< integers are read as numbers from 0 or -1 to 1
  std::uint64_t alignment = 0;  ///< bytes from an aligned address to what is bound
};

/// The program's code, found by what its host code registered.
class CodeModules {
 public:
  /// `options`: how code is obtained.
  CodeModules(driver::Predictor& predictor, DeviceMemory& memory, std::string gpu,
              request::PredictOptions options)
      : predictor_(&predictor),
        memory_(&memory),
        gpu_(std::move(gpu)),
        options_(std::move(options)) {}

  /// Code that is in memory: a fatbin (its own size counts), a cubin, PTX. `device`: that alone has
  /// it, as of the driver interface.
  CodeModule* add(std::string bytes, std::optional<std::uint32_t> device = std::nullopt);
  void remove(CodeModule* module);
  [[nodiscard]] bool has(const CodeModule* module) const;

  void register_function(const void* host, CodeModule* module, std::string mangled);
  void register_variable(const void* host, CodeModule* module, std::string mangled,
                         std::uint64_t bytes);

  void register_texture(const void* host, CodeModule* module, std::string mangled, bool as_float);

  /// The kernel of a host function; null: nothing was registered for it. Fails if the code cannot
  /// be had for the board. `device`, here and below: the current one.
  Expected<Function*> function_of(const void* host, std::uint32_t device);
  /// The host function that a kernel was found by; null: none, as of the driver interface.
  [[nodiscard]] const void* host_of(const Function* function) const;
  Expected<Function*> function(CodeModule& module, std::string_view mangled, std::uint32_t device);
  /// Makes a function ready on a device that has a copy of its module (see
  /// CodeModule::device_for), and that copy, where it is its first use there.
  Expected<void> place(Function& function, std::uint32_t device);
  /// The variable behind the host's shadow of it; null: there is none.
  Expected<const Variable*> variable_of(const void* host, std::uint32_t device);
  Expected<const Variable*> variable(CodeModule& module, std::string_view mangled,
                                     std::uint32_t device);

  /// The texture behind the host's reference; null: there is none.
  TextureVariable* texture_of(const void* host);
  /// Writes the handles of bound textures behind a function's parameters.
  static void put_textures(const Function& function, std::vector<std::uint8_t>& parameters);

  /// Gives all variables of a device their initial contents again, at their places.
  void fill_again(std::uint32_t device);

  /// The constant banks of a function's module as they are now, in one of its copies.
  [[nodiscard]] static std::vector<execution::ConstantBank> banks_of(const Function& function,
                                                                     const ModuleCopy& copy);

  [[nodiscard]] const std::string& gpu() const { return gpu_; }

 private:
  struct Registered {
    CodeModule* module = nullptr;
    std::string mangled;
    std::uint64_t bytes = 0;
    Function* function = nullptr;  ///< once it was used
  };
  Expected<std::unique_ptr<Function>> load(CodeModule& module, std::string_view mangled);
  Expected<void> place_on(Function& function, std::uint32_t device);
  Expected<ModuleCopy*> copy_on(CodeModule& module, const Kernel& kernel, std::uint32_t device);
  bool reserve(ModuleCopy& copy, const Kernel& kernel, std::uint32_t device);
  void share_managed(const CodeModule& module, ModuleCopy& copy, std::uint32_t device);
  void release(const ModuleCopy& copy);
  void fill(ModuleCopy& copy, const Kernel& kernel, const prediction::ModuleImage& image);
  void fill_unused(ModuleCopy& copy, const Kernel& kernel);

  driver::Predictor* predictor_;
  DeviceMemory* memory_;
  std::string gpu_;
  request::PredictOptions options_;
  std::vector<std::unique_ptr<CodeModule>> modules_;
  std::unordered_map<const void*, Registered> functions_, variables_;
  std::unordered_map<const void*, TextureVariable> textures_;
  std::uint32_t functions_made_ = 0, modules_made_ = 0;
};

/// The bytes of a fatbin that begins here, as its header states them; empty: it is none.
[[nodiscard]] std::string_view fat_binary_at(const void* begin);

}  // namespace forewarp::program_run
