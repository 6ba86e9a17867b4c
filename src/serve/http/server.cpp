// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The one translation unit that knows cpp-httplib: it parses requests and writes responses. Which
// connection has a thread, and for how long, is decided here.
#include "serve/http/server.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <httplib.h>
#include <utility>

#include "base/text.h"
#include "serve/http/idle_connections.h"
#include "serve/http/socket_stream.h"
#include "serve/http/thread_pool.h"

namespace forewarp::serve {
namespace {

constexpr int timed_out = 408, no_room = 503, internal_fault = 500;

class LibraryStream : public httplib::Stream {
 public:
  explicit LibraryStream(SocketStream& stream) : stream_(stream) {}
  [[nodiscard]] bool is_readable() const override { return stream_.is_readable(); }
  [[nodiscard]] bool is_writable() const override { return stream_.is_writable(); }
  ssize_t read(char* into, std::size_t size) override { return stream_.read(into, size); }
  ssize_t write(const char* bytes, std::size_t size) override { return stream_.write(bytes, size); }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { forget(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { forget(ip, port); }
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

 private:
  static void forget(std::string& ip, int& port) {
    ip.clear();
    port = 0;
  }
  SocketStream& stream_;
};

/// Threads of the server's pool under the interface of the library.
class LibraryQueue : public httplib::TaskQueue {
 public:
  explicit LibraryQueue(ThreadPool& pool) : pool_(pool) {}
  void enqueue(std::function<void()> work) override { pool_.add(std::move(work)); }
  void shutdown() override {}

 private:
  ThreadPool& pool_;
};

HttpRequest request_of(const httplib::Request& given) {
  HttpRequest request;
  request.method = given.method;
  request.path = given.path;
  for (const auto& [name, value] : given.params) request.query.emplace(name, value);
  for (const auto& [name, value] : given.headers) request.headers.emplace(lower(name), value);
  request.body = given.body;
  if (given.progress) request.left = [&given] { return !given.progress(0, 0); };
  return request;
}

}  // namespace

class HttpServer::Front : public httplib::Server {
 public:
  Front(GuardRules rules, HttpHandler handler, const ServerLimits& limits)
      : rules_(std::move(rules)),
        handler_(std::move(handler)),
        limits_(limits),
        pool_(limits.threads),
        room_([this](std::shared_ptr<Connection> connection) { busy(std::move(connection)); },
              limits.idle, limits.connections) {
    new_task_queue = [this] { return new LibraryQueue(pool_); };
    set_tcp_nodelay(true);
    set_payload_max_length(rules_.most_body);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const auto no = refused(rules_, request_of(request));
      if (!no) return HandlerResponse::Unhandled;
      give(*no, response);
      return HandlerResponse::Handled;
    });
    const Handler answer = [this](const httplib::Request& request, httplib::Response& response) {
      give(handler_(request_of(request)), response);
    };
    const char* everything = "[^]*";
    Get(everything, answer);
    Post(everything, answer);
    Delete(everything, answer);
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
          give_plain(refusal(internal_fault, "internal fault"), response);
        });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) {
        give_plain(refusal(response.status, "the request is not one that can be read"), response);
      }
    });
  }

  int bind() {
    if (rules_.port == 0) {
      rules_.port = bind_to_any_port(rules_.host);
      return rules_.port;
    }
    return bind_to_port(rules_.host, rules_.port) ? rules_.port : -1;
  }

  void end() {
    ended_ = true;
    stop();
    pool_.stop();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    room_.enter(std::make_shared<Connection>(socket));
    return true;
  }

  void busy(std::shared_ptr<Connection> connection) {
    pool_.add([this, connection = std::move(connection)] { serve(connection); });
  }

  /// One request of a connection, which then waits for its next one.
  void serve(const std::shared_ptr<Connection>& connection) {
    SocketStream socket(*connection, limits_.request);
    LibraryStream stream(socket);
    bool closed = false, refuses = false;
    const bool answered = process_request(stream, ended_, closed, [&](httplib::Request& request) {
      refuses = refused(rules_, request_of(request)).has_value();
      // The one place of the library's request that may ask something: whether to go on.
      request.progress = [&socket](std::uint64_t, std::uint64_t) { return !socket.left(); };
    });
    if (answered && !closed && !refuses && !socket.late() && !ended_) {
      room_.enter(connection);
      return;
    }
    if (socket.late() && !answered) tell_late(socket);
    socket.part();
  }

  static void tell_late(SocketStream& socket) {
    const std::string body = refusal(timed_out, "the request did not come in time").body;
    const std::string text =
        "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\nConnection: close\r\n"
        "Content-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    socket.write(text.data(), text.size());
  }

  static void give_plain(const HttpResponse& from, httplib::Response& to) {
    to.status = from.status;
    for (const auto& [name, value] : guarding_headers()) to.set_header(name, value);
    for (const auto& [name, value] : from.headers) to.set_header(name, value);
    if (from.fixed.empty()) {
      to.set_content(from.body, from.type);
    } else {
      to.set_content(from.fixed.data(), from.fixed.size(), from.type);
    }
  }

  void give(const HttpResponse& from, httplib::Response& to) {
    if (!from.events) {
      give_plain(from, to);
      return;
    }
    if (streams_.fetch_add(1) >= limits_.streams) {
      --streams_;
      give_plain(refusal(no_room, "too many event streams are open; expected at most " +
                                      std::to_string(limits_.streams)),
                 to);
      return;
    }
    for (const auto& [name, value] : guarding_headers()) to.set_header(name, value);
    to.set_header("Cache-Control", "no-store");
    to.set_chunked_content_provider(
        "text/event-stream",
        [this, events = from.events](std::size_t, httplib::DataSink& sink) {
          std::string part;
          const bool more = events(part) && !ended_;
          if (part.empty() && more) part = ": waiting\n\n";
          if (!part.empty() && !sink.write(part.data(), part.size())) return false;
          if (!more) sink.done();
          return true;
        },
        [this](bool) { --streams_; });
  }

  GuardRules rules_;
  HttpHandler handler_;
  const ServerLimits limits_;
  std::atomic<bool> ended_ = false;
  std::atomic<std::size_t> streams_ = 0;
  ThreadPool pool_;
  IdleConnections room_;
};

HttpServer::HttpServer(GuardRules rules, HttpHandler handler, const ServerLimits& limits)
    : front_(std::make_unique<Front>(std::move(rules), std::move(handler), limits)) {}
HttpServer::~HttpServer() {
  stop();
}

Expected<int> HttpServer::bind() {
  const int port = front_->bind();
  if (port < 0) {
    return Diagnostic{"--port", "cannot be listened on", "a port that is free", "another --port"};
  }
  return port;
}

void HttpServer::run() {
  front_->listen_after_bind();
}

void HttpServer::stop() {
  front_->end();
}

}  // namespace forewarp::serve
