// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "serve/http/message.h"

namespace forewarp::serve {

/// Who may ask. Without a token only programs of this machine can reach the server, and a page of
/// another site that a browser shows must not: its requests name another origin, or another host
/// where a name was made to lead here.
struct GuardRules {
  std::string host = "127.0.0.1";  ///< listened on
  int port = 0;
  std::string token;          ///< of --listen; empty: loopback, nobody is asked for one
  std::size_t most_body = 0;  ///< bytes
};

/// Why a request is refused before its body is read; nothing: it is not.
[[nodiscard]] std::optional<HttpResponse> refused(const GuardRules& rules,
                                                  const HttpRequest& request);

/// Headers of every response: nothing is loaded from elsewhere, framed, guessed or kept.
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& guarding_headers();

}  // namespace forewarp::serve
