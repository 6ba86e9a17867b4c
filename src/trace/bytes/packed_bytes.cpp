// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/bytes/packed_bytes.h"

#include <algorithm>
#include <utility>
#include <zlib.h>

namespace forewarp::trace {

void PackedBytes::clear() {
  pieces_.clear();
  packed_size_ = 0;
  tail_.clear();
}

void PackedBytes::pack() {
  Piece piece;
  piece.unpacked = tail_.size();
  uLongf size = ::compressBound(tail_.size());
  piece.bytes.resize(size);
  const int state =
      ::compress2(reinterpret_cast<Bytef*>(piece.bytes.data()), &size,
                  reinterpret_cast<const Bytef*>(tail_.data()), tail_.size(), Z_BEST_SPEED);
  if (state != Z_OK) return;  // no memory for it: they stay as they are
  piece.bytes.resize(size);
  piece.bytes.shrink_to_fit();
  packed_size_ += piece.unpacked;
  pieces_.push_back(std::move(piece));
  tail_.clear();
}

Expected<std::size_t> PackedSource::do_read(char* to, std::size_t room) {
  while (!tail_open_ && taken_ == open_.size()) {
    taken_ = 0;
    if (piece_ == bytes_->pieces_.size()) {
      tail_open_ = true;
      break;
    }
    const PackedBytes::Piece& piece = bytes_->pieces_[piece_++];
    open_.resize(piece.unpacked);
    uLongf size = piece.unpacked;
    const int state =
        ::uncompress(reinterpret_cast<Bytef*>(open_.data()), &size,
                     reinterpret_cast<const Bytef*>(piece.bytes.data()), piece.bytes.size());
    if (state != Z_OK) return Diagnostic{"trace", "its bytes in memory are lost", "", ""};
  }
  const std::string& from = tail_open_ ? bytes_->tail_ : open_;
  const std::size_t count = from.copy(to, room, taken_);
  taken_ += count;
  return count;
}

}  // namespace forewarp::trace
