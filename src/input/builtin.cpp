// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/builtin.h"

#include <memory>

#include "input/asfermi/asfermi_format.h"
#include "input/sass/sass_format.h"
#include "input/toolkit/toolkit_reader.h"

namespace forewarp::input {

Registry<Reader> builtin_readers() {
  Registry<Reader> readers("input format");
  using Kind = ContentKind;
  const auto add = [&](Kind kind, std::string_view name, std::string_view sentence) {
    readers.add(std::make_unique<ToolkitReader>(kind, name, sentence));
  };
  add(Kind::cubin, "cubin", "compiled code of one architecture");
  add(Kind::fat_binary, "fatbin", "compiled code of several architectures, and PTX");
  add(Kind::host_binary, "executable", "executable, object or shared library with GPU code");
  add(Kind::library, "library", "static library of objects with GPU code");
  add(Kind::ptx, "ptx", "PTX, compiled for the GPU asked");
  add(Kind::cuda_source, "cu", "CUDA source, compiled for the GPU asked");
  add(Kind::opencl_source, "cl", "OpenCL source, compiled by clang for the GPU asked");
  readers.add(std::make_unique<AsfermiFormat>());
  // The last reader also reports what is wrong with inputs that no reader accepts.
  readers.add(std::make_unique<SassFormat>());
  return readers;
}

}  // namespace forewarp::input
