// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: the linker. One image is its own result, as modules take code in every
// form; several would need a linker of device code, which is not here.
#include <cstring>
#include <string>
#include <vector>

#include "base/file.h"
#include "driver_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

struct Linking {
  std::vector<std::string> images;
};

int add(void* state, std::string image) {
  if (state == nullptr || image.empty()) return static_cast<int>(Status::invalid_value);
  static_cast<Linking*>(state)->images.push_back(std::move(image));
  return 0;
}

}  // namespace

FOREWARP_EXPORT int cuLinkCreate_v2(unsigned /*count*/, int* /*options*/, void** /*values*/,
                                    void** out) {
  *out = new Linking;  // NOLINT: the program ends it by cuLinkDestroy
  return 0;
}
FOREWARP_EXPORT int cuLinkDestroy(void* state) {
  delete static_cast<Linking*>(state);  // NOLINT: see cuLinkCreate
  return 0;
}
FOREWARP_EXPORT int cuLinkAddData_v2(void* state, int /*type*/, const void* data, std::size_t bytes,
                                     const char* /*name*/, unsigned /*count*/, int* /*options*/,
                                     void** /*values*/) {
  return data == nullptr ? static_cast<int>(Status::invalid_value)
                         : add(state, std::string(static_cast<const char*>(data), bytes));
}
FOREWARP_EXPORT int cuLinkAddFile_v2(void* state, int /*type*/, const char* path,
                                     unsigned /*count*/, int* /*options*/, void** /*values*/) {
  auto bytes = forewarp::base::read_file(path);
  return bytes ? add(state, *std::move(bytes)) : static_cast<int>(Status::file_not_found);
}
FOREWARP_EXPORT int cuLinkComplete(void* state, const void** image, std::size_t* bytes) {
  const auto* linking = static_cast<const Linking*>(state);
  if (linking == nullptr || linking->images.empty()) return static_cast<int>(Status::invalid_value);
  if (linking->images.size() > 1)
    return unsupported_driver_call("cuLinkComplete of several images");
  *image = linking->images.front().data();
  *bytes = linking->images.front().size();
  return 0;
}
