// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/result_archive.h"

#include "base/cache/byte_archive.h"
#include "result/result_fields.h"

namespace forewarp::result {
namespace {

/// Visits the keys of the JSON, all of them whatever their values, as one that reads does.
template <class Bytes>
class ResultArchive : public Bytes {
 public:
  using Bytes::Bytes;
  static constexpr bool reads = true;
  template <class T>
  void operator()(std::string_view /*key*/, T& member) {
    field(*this, member);
  }
  template <class T>
  void large(std::string_view /*key*/, T& member) {
    field(*this, member);
  }
};

template <class Bytes, class T>
requires requires(ResultArchive<Bytes>& a, T& t) {
  result_fields::fields(a, t);
}
void field(ResultArchive<Bytes>& archive, T& record) {
  result_fields::fields(archive, record);
}

template <class Bytes>
void whole(ResultArchive<Bytes>& archive, Result& result) {
  result_fields::fields(archive, result);
  field(archive, result.profile_only);
}

}  // namespace

std::string pack_result(const Result& result) {
  ResultArchive<BytePacker> packer;
  // The same function reads and writes; a packer changes nothing.
  whole(packer, const_cast<Result&>(result));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return packer.take();
}

std::optional<Result> unpack_result(std::string_view bytes) {
  ResultArchive<ByteUnpacker> unpacker(bytes);
  Result result;
  whole(unpacker, result);
  if (!unpacker.ended()) return {};
  return result;
}

}  // namespace forewarp::result
