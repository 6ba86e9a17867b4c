// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/arguments/signature.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/text.h"
#include "execution/storage/tensor_map_bytes.h"
#include "prediction/arguments/parameter_layout.h"
#include "program/scalar_type.h"
#include "request/argument_text.h"
#include "request/tensor_text.h"

namespace forewarp::prediction {

namespace {

using Source = BoundParameter::Source;

// Addresses of buffers are our own convention: fixed, so that results do not depend on the run.
constexpr std::uint64_t first_address = std::uint64_t{0x7f} << 40U;
constexpr std::uint64_t address_alignment = 256;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 46U;  // keeps every address in 48 bits
constexpr std::uint32_t pointer_bytes = 8;

std::string parameter_name(const Parameter& parameter, std::size_t index) {
  return parameter.name.empty() ? "#" + std::to_string(index) : parameter.name;
}

std::string parameter_type(const Parameter& parameter) {
  if (!parameter.type.empty()) return parameter.type;
  return parameter.pointer ? "pointer" : std::to_string(parameter.size) + " bytes";
}

/// Fills BoundArguments parameter by parameter; buffers come last, as they may be shared.
class Binder {
 public:
  Binder(const Kernel& kernel, const std::vector<Parameter>& parameters)
      : kernel_(kernel), parameters_(parameters), given_(parameters.size(), nullptr) {}

  Expected<void> assign(const NamedArgument& argument) {
    if (const StructureParameter* whole = structure_of(argument)) {
      return assign_fields(*whole, argument.value);
    }
    const auto index = index_of(argument);
    if (!index) return index.error();
    given_[*index] = &argument.value;
    return {};
  }

  Expected<BoundArguments> bind() && {
    prepare_area();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (auto done = bind_one(i); !done) return done.error();
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const bool shares = given_[i] != nullptr && given_[i]->kind == Argument::Kind::same_buffer;
      if (!shares) continue;
      if (auto done = share_buffer(i); !done) return done.error();
    }
    if (auto done = bind_maps(); !done) return done.error();
    if (auto done = place_buffers(); !done) return done.error();
    address_maps();
    return std::move(bound_);
  }

 private:
  /// The structure that the argument names as a whole; null: it names a parameter or a field.
  [[nodiscard]] const StructureParameter* structure_of(const NamedArgument& argument) const {
    for (const StructureParameter& whole : kernel_.structures) {
      const bool meant = argument.index ? whole.ordinal == *argument.index
                                        : !whole.name.empty() && whole.name == argument.name;
      if (meant) return &whole;
    }
    return nullptr;
  }

  /// Assigns a structure's bytes field by field.
  Expected<void> assign_fields(const StructureParameter& whole, const Argument& value) {
    if (value.kind != Argument::Kind::bytes || value.bytes.size() != whole.size) {
      std::vector<Parameter> fields(parameters_.begin() + whole.first,
                                    parameters_.begin() + whole.first + whole.count);
      return refuse(
          "argument '" + whole.name + "'", "a structure (" + whole.type + ")",
          parameter_list(fields) + ", or " + std::to_string(whole.size) + " bytes as hex");
    }
    for (std::uint32_t i = whole.first; i < whole.first + whole.count; ++i) {
      Argument& field = slices_.emplace_back();
      field.kind = Argument::Kind::bytes;
      const auto begin = value.bytes.begin() + (parameters_[i].offset - whole.offset);
      field.bytes.assign(begin, begin + parameters_[i].size);
      given_[i] = &field;
    }
    return {};
  }

  static bool is_pointer(const Argument& value) {
    return value.kind == Argument::Kind::buffer || value.kind == Argument::Kind::same_buffer;
  }

  Expected<std::size_t> index_of(const NamedArgument& argument) const {
    if (argument.index) {
      const std::size_t index = index_of_declared(kernel_, *argument.index);
      if (index < parameters_.size()) return index;
      return refuse("argument " + std::to_string(*argument.index),
                    "kernel '" + kernel_.name + "' has " + std::to_string(declared()) +
                        " parameters, counted from 0",
                    parameter_list(parameters_));
    }
    // Of the value's kind, a buffer or a number, before all others.
    std::vector<std::string> names, alike;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = parameters_[i];
      if (parameter.name == argument.name) return i;
      if (parameter.name.empty()) continue;
      names.push_back(parameter.name);
      if (parameter.pointer == is_pointer(argument.value)) alike.push_back(parameter.name);
    }
    auto nearest = closest(argument.name, alike);
    if (!nearest) nearest = closest(argument.name, names);
    Diagnostic failure = refuse("argument '" + argument.name + "'",
                                "kernel '" + kernel_.name + "' has no parameter of that name",
                                parameter_list(parameters_));
    if (nearest) failure.way_out = "did you mean '" + *nearest + "'?";
    if (names.empty() && !parameters_.empty()) {
      failure.way_out = "its names are not in the code: give arguments by index";
    }
    return failure;
  }

  [[nodiscard]] std::size_t declared() const {
    std::size_t count = parameters_.size();
    for (const StructureParameter& whole : kernel_.structures) count -= whole.count - 1;
    return count;
  }

  static Diagnostic refuse(std::string place, std::string found, std::string expected) {
    return {std::move(place), std::move(found), std::move(expected), ""};
  }

  [[nodiscard]] std::string place(std::size_t index) const {
    return "argument '" + parameter_name(parameters_[index], index) + "'";
  }

  void prepare_area() {
    std::size_t size = 0;
    for (const Parameter& parameter : parameters_) {
      size = std::max<std::size_t>(size, std::size_t{parameter.offset} + parameter.size);
    }
    bound_.bytes.resize(size);
    bound_.known.resize(size);
    know_padding();
    bound_.parameters.resize(parameters_.size());
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      bound_.parameters[i].offset = parameters_[i].offset;
      bound_.parameters[i].size = parameters_[i].size;
    }
  }

  /// Bytes between parameters hold nothing, but code reads them with their neighbours: a constant
  /// is a word, and a half-precision number is half of one.
  void know_padding() {
    constexpr std::size_t word = 4;
    bound_.bytes.resize((bound_.bytes.size() + word - 1) / word * word);
    bound_.known.assign(bound_.bytes.size(), 1);
    for (const Parameter& parameter : parameters_)
      std::fill_n(bound_.known.begin() + parameter.offset, parameter.size, std::uint8_t{0});
  }

  Expected<void> bind_one(std::size_t index) {
    if (given_[index] == nullptr) {
      leave_unset(index);
      return {};
    }
    switch (given_[index]->kind) {
      case Argument::Kind::bytes:
        return bind_bytes(index);
      case Argument::Kind::buffer:
        return add_buffer(index);
      case Argument::Kind::same_buffer:
        return check_pointer(index);
      default:
        return bind_number(index);
    }
  }

  void leave_unset(std::size_t index) {
    const auto number = static_cast<std::uint32_t>(index);
    if (!parameters_[index].pointer) {
      bound_.unset.push_back(number);
      return;
    }
    bound_.assumed_buffers.push_back(number);
    bound_.parameters[index].source = Source::assumed_buffer;
    bound_.parameters[index].buffer = static_cast<std::uint32_t>(bound_.buffers.size());
    bound_.buffers.push_back({number, 0, 0, false, {}, {}});
    bound_.buffers.back().content.type = element_type(parameters_[index].type);
  }

  void store(std::size_t index, std::uint64_t bits, std::uint32_t size) {
    for (std::uint32_t i = 0; i < size; ++i) {
      bound_.bytes[parameters_[index].offset + i] = static_cast<std::uint8_t>(bits >> (8U * i));
      bound_.known[parameters_[index].offset + i] = 1;
    }
  }

  Expected<void> bind_bytes(std::size_t index) {
    if (is_tensor(*given_[index]) && parameters_[index].size == pointer_bytes) return {};
    const std::vector<std::uint8_t>& bytes = given_[index]->bytes;
    const Parameter& parameter = parameters_[index];
    // A structure may begin with a map: what follows it stays unknown.
    const bool holds = is_tensor(*given_[index]) && bytes.size() < parameter.size;
    if (bytes.size() != parameter.size && !holds) {
      return refuse(place(index), std::to_string(bytes.size()) + " bytes are given",
                    std::to_string(parameter.size) + " bytes (" + parameter_type(parameter) + ")");
    }
    bound_.parameters[index].source = Source::bytes;
    std::copy(bytes.begin(), bytes.end(), bound_.bytes.begin() + parameter.offset);
    std::fill_n(bound_.known.begin() + parameter.offset, bytes.size(), std::uint8_t{1});
    return {};
  }

  /// The type that the number is stored as; refuses a size that no number has.
  Expected<ScalarType> storage_type(std::size_t index) {
    const Parameter& parameter = parameters_[index];
    const Argument& argument = *given_[index];
    const auto declared = scalar_type(parameter.type);
    const auto stated = short_scalar_type(argument.type);
    const bool marked_only =
        beyond_signed(argument);  // then u64 is only how it is held, not a type that was given
    if (stated && !marked_only) return stated_type(index, *stated, declared);
    if (declared) return *declared;
    if (parameter.pointer) return ScalarType{ScalarType::Kind::unsigned_integer, pointer_bytes};
    if (parameter.size == 0 || parameter.size > 8 || (parameter.size & (parameter.size - 1)) != 0) {
      return refuse(
          place(index), text_of(argument) + " is one number",
          std::to_string(parameter.size) + " bytes as hex (" + parameter_type(parameter) + ")");
    }
    bound_.typed_by_form.push_back(static_cast<std::uint32_t>(index));
    return type_by_form(argument, parameter.size);
  }

  Expected<ScalarType> stated_type(std::size_t index, ScalarType stated,
                                   std::optional<ScalarType> declared) const {
    const Parameter& parameter = parameters_[index];
    const bool contradicts = declared && declared->is_floating() != stated.is_floating();
    const bool resized = stated.is_floating() && stated.bytes != parameter.size;
    if (contradicts || resized || parameter.size == 0 || parameter.size > 8 ||
        (parameter.pointer && stated.is_floating())) {
      return refuse(place(index), "the value is stated as " + given_[index]->type,
                    parameter_type(parameter));
    }
    // An integer may be widened, or narrowed if its value fits.
    if (!stated.is_floating()) stated.bytes = static_cast<std::uint8_t>(parameter.size);
    return stated;
  }

  static ScalarType type_by_form(const Argument& argument, std::uint32_t size) {
    const auto bytes = static_cast<std::uint8_t>(size);
    if (argument.kind == Argument::Kind::floating && size > 1) {
      return {ScalarType::Kind::floating, bytes};
    }
    const bool negative = !beyond_signed(argument) && argument.integer < 0;
    return {negative ? ScalarType::Kind::signed_integer : ScalarType::Kind::unsigned_integer,
            bytes};
  }

  Expected<void> bind_number(std::size_t index) {
    const Argument& argument = *given_[index];
    const auto type = storage_type(index);
    if (!type) return type.error();
    const auto bits = scalar_bits(argument, *type);
    if (!bits || type->bytes > parameters_[index].size) {
      return refuse(place(index), text_of(argument) + " does not fit",
                    parameter_type(parameters_[index]));
    }
    store(index, *bits, type->bytes);
    BoundParameter& bound = bound_.parameters[index];
    bound.source = Source::number;
    bound.floating = type->is_floating();
    bound.number = argument.kind == Argument::Kind::floating ? argument.floating
                                                             : with_type(argument, "f64").floating;
    bound.integer = argument.kind == Argument::Kind::integer
                        ? argument.integer
                        : (bound.floating ? 0 : static_cast<std::int64_t>(argument.floating));
    return {};
  }

  Expected<void> check_pointer(std::size_t index) const {
    if (parameters_[index].size == pointer_bytes) return {};
    return refuse(place(index), "a buffer is given", parameter_type(parameters_[index]));
  }

  Expected<void> add_buffer(std::size_t index) {
    if (auto done = check_pointer(index); !done) return done;
    const Argument& argument = *given_[index];
    BoundBuffer buffer;
    buffer.parameter = static_cast<std::uint32_t>(index);
    buffer.bytes = argument.buffer_bytes;
    buffer.content = argument.content;
    buffer.given = argument.bytes;
    if (buffer.content.type.empty()) buffer.content.type = element_type(parameters_[index].type);
    point_to(index, static_cast<std::uint32_t>(bound_.buffers.size()));
    bound_.buffers.push_back(std::move(buffer));
    return {};
  }

  void point_to(std::size_t index, std::uint32_t buffer) {
    bound_.parameters[index].source = Source::buffer;
    bound_.parameters[index].buffer = buffer;
  }

  /// Follows same:INDEX, if need be through other arguments that share, to a buffer.
  Expected<void> share_buffer(std::size_t index) {
    for (const StructureParameter& whole : kernel_.structures) {
      if (whole.ordinal != given_[index]->same_as) continue;
      return refuse(place(index), "it shares argument '" + whole.name + "', which is a structure",
                    "same: and the index of a buffer argument");
    }
    std::size_t other = index_of_declared(kernel_, given_[index]->same_as);
    for (std::size_t hops = 0; hops <= parameters_.size() && other < given_.size(); ++hops) {
      const Argument* argument = given_[other];
      if (argument != nullptr && argument->kind == Argument::Kind::same_buffer) {
        other = index_of_declared(kernel_, argument->same_as);
        continue;
      }
      const std::uint32_t buffer = bound_.parameters[other].buffer;
      if (buffer == BoundParameter::no_buffer) break;
      point_to(index, buffer);
      return {};
    }
    return refuse(
        place(index),
        "it shares argument " + std::to_string(given_[index]->same_as) + ", which is no buffer",
        "same: and the index of a buffer argument");
  }

  /// Tensor maps: each looks at a buffer that an argument or another map names, or at its own.
  Expected<void> bind_maps() {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (given_[i] == nullptr || !is_tensor(*given_[i])) continue;
      auto parsed = parse_tensor(tensor_text(*given_[i]), place(i));
      if (!parsed) return parsed.error();
      const auto holder = tensor_map_bytes(static_cast<std::uint32_t>(bound_.tensor_maps.size()));
      if (parameters_[i].size == pointer_bytes) {
        point_to(i, static_cast<std::uint32_t>(bound_.buffers.size()));
        BoundBuffer& held = bound_.buffers.emplace_back();
        held.parameter = static_cast<std::uint32_t>(i);
        held.bytes = TensorMap::bytes;
        held.content.kind = BufferContent::Kind::file;
        held.given.assign(holder.begin(), holder.end());
      } else {
        std::copy(holder.begin(), holder.end(), bound_.bytes.begin() + parameters_[i].offset);
      }
      const std::uint32_t buffer = buffer_named(parsed->buffer, i);
      BoundBuffer& seen = bound_.buffers[buffer];
      const std::uint64_t reach = parsed->map.reach();
      if (seen.parameter != i && is_given(seen.parameter) && seen.bytes < reach) {
        return refuse(place(i),
                      "its map reaches over " + std::to_string(reach) + " bytes, buffer '" +
                          parsed->buffer + "' has " + std::to_string(seen.bytes),
                      "a buffer that holds the whole tensor");
      }
      seen.bytes = std::max(seen.bytes, reach);
      bound_.tensor_maps.push_back(parsed->map);
      map_buffers_.push_back(buffer);
    }
    return {};
  }

  [[nodiscard]] bool is_given(std::uint32_t parameter) const {
    return given_[parameter] != nullptr && given_[parameter]->kind == Argument::Kind::buffer;
  }

  /// Buffer of this name: a pointer argument's, that of an earlier map, or a new one.
  std::uint32_t buffer_named(const std::string& name, std::size_t index) {
    for (std::size_t i = 0; i < parameters_.size() && !name.empty(); ++i) {
      const bool meant = parameters_[i].name == name || std::to_string(i) == name;
      if (meant && bound_.parameters[i].buffer != BoundParameter::no_buffer)
        return bound_.parameters[i].buffer;
    }
    for (const auto& [known, buffer] : named_) {
      if (!name.empty() && known == name) return buffer;
    }
    const auto number = static_cast<std::uint32_t>(bound_.buffers.size());
    BoundBuffer& added = bound_.buffers.emplace_back();
    added.parameter = static_cast<std::uint32_t>(index);
    named_.emplace_back(name, number);
    return number;
  }

  void address_maps() {
    for (std::size_t i = 0; i < map_buffers_.size(); ++i)
      bound_.tensor_maps[i].address = bound_.buffers[map_buffers_[i]].address;
  }

  Expected<void> place_buffers() {
    std::uint64_t address = first_address;
    for (BoundBuffer& buffer : bound_.buffers) {
      buffer.address = address;
      const std::uint64_t taken =
          buffer.sized ? std::max<std::uint64_t>(buffer.bytes, 1) : unsized_reserve;
      if (taken > most_bytes || address + taken > first_address + most_bytes) {
        return refuse(place(buffer.parameter),
                      "its buffer of " + std::to_string(buffer.bytes) + " bytes leaves no room",
                      "at most " + std::to_string(most_bytes) + " bytes in all buffers");
      }
      address += (taken + address_alignment - 1) / address_alignment * address_alignment;
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      BoundParameter& parameter = bound_.parameters[i];
      if (parameter.buffer == BoundParameter::no_buffer) continue;
      const std::uint64_t target = bound_.buffers[parameter.buffer].address;
      parameter.integer = static_cast<std::int64_t>(target);
      parameter.number = static_cast<double>(target);
      store(i, target, pointer_bytes);
    }
    return {};
  }

  const Kernel& kernel_;
  const std::vector<Parameter>& parameters_;
  std::vector<const Argument*> given_;  // by parameter; null where nothing was given
  std::vector<std::pair<std::string, std::uint32_t>> named_;  // buffers of tensor maps
  std::vector<std::uint32_t> map_buffers_;                    // by tensor map
  std::deque<Argument> slices_;                               // fields of structures given as bytes
  BoundArguments bound_;
};

}  // namespace

std::size_t index_of_declared(const Kernel& kernel, std::size_t ordinal) {
  std::size_t index = ordinal;
  for (const StructureParameter& whole : kernel.structures) {
    if (whole.ordinal < ordinal) index += whole.count - 1;
  }
  return index;
}

std::size_t declared_index(const Kernel& kernel, std::size_t index) {
  std::size_t ordinal = index;
  for (const StructureParameter& whole : kernel.structures) {
    if (whole.first >= index) break;
    ordinal -= std::min<std::size_t>(index - whole.first, whole.count - 1);
  }
  return ordinal;
}

std::string parameter_text(const Parameter& parameter, std::size_t index) {
  return parameter_name(parameter, index) + " (" + parameter_type(parameter) + ")";
}

std::string parameter_list(const std::vector<Parameter>& parameters) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    texts.push_back(parameter_text(parameters[i], i));
  }
  return texts.empty() ? "no arguments" : join(texts, ", ");
}

std::string element_type(const std::string& pointer_type) {
  const std::size_t star = pointer_type.find('*');
  if (star == std::string::npos || pointer_type.find('*', star + 1) != std::string::npos) return {};
  const auto type = scalar_type(std::string_view(pointer_type).substr(0, star));
  return type ? std::string(short_name(*type)) : std::string();
}

std::optional<std::int64_t> BoundArguments::integer_at(std::uint32_t offset,
                                                       std::uint32_t size) const {
  if (size == 0 || size > 8 || std::size_t{offset} + size > bytes.size()) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (known[offset + i] == 0) return std::nullopt;
    bits |= std::uint64_t{bytes[offset + i]} << (8U * i);
  }
  const std::uint32_t unused = 64 - 8 * size;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

Expected<BoundArguments> bind_arguments(const Kernel& kernel,
                                        const std::vector<NamedArgument>& arguments) {
  const bool from_arguments = kernel.parameters_source == FactSource::inferred &&
                              !arguments.empty() && given_in_order(arguments);
  std::vector<Parameter> laid_out;
  if (from_arguments) laid_out = layout_of_arguments(arguments, kernel.parameters);
  Binder binder(kernel, from_arguments ? laid_out : kernel.parameters);
  for (const NamedArgument& argument : arguments) {
    if (auto done = binder.assign(argument); !done) return done.error();
  }
  auto bound = std::move(binder).bind();
  if (bound) bound->layout_from_arguments = from_arguments;
  return bound;
}

}  // namespace forewarp::prediction
