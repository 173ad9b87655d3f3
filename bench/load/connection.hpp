#pragma once

#include "bench/load/answer_reader.hpp"
#include "bench/load/target.hpp"
#include "bench/load/task.hpp"
#include "bench/load/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace usher::load {

/// One connection that is kept, with at most one request on it. Does not wait for anything: who
/// owns it calls when the socket is ready. Used on one thread.
class connection {
public:
  connection() = default;
  ~connection() { close(); }
  connection(connection&&) = delete;
  connection& operator=(connection&&) = delete;

  enum class state : std::uint8_t { closed, opening, free, busy };
  [[nodiscard]] state now() const { return state_; }
  [[nodiscard]] int socket() const { return socket_; }

  /// Begins to connect; `epoll` tells when it is ready. Empty, or why that is not possible.
  [[nodiscard]] std::string_view open(const target& to, int epoll, time_ns now);
  /// The socket became writable while opening. Empty, or why there is no connection.
  [[nodiscard]] std::string_view opened(time_ns now);
  void close();

  /// Sends `request`, or as much of it as fits; the rest when the socket is writable. To be called
  /// when free. Empty, or why the connection is lost.
  [[nodiscard]] std::string_view send(const task& what, time_ns now);
  [[nodiscard]] std::string_view send_rest();

  enum class heard : std::uint8_t { nothing, answer, lost };
  /// Reads what has come, with the help of `scratch`. After `answer`, `got` is valid until the next
  /// read into the same scratch; the connection is free again, or closed if the answer says so.
  /// After `lost`, `why` says why.
  [[nodiscard]] heard receive(std::string& scratch, time_ns now);
  [[nodiscard]] const answer& got() const { return reader_.got(); }
  [[nodiscard]] std::string_view why() const { return why_; }

  /// What is on it, or waits for it to open.
  task work{};
  bool has_work = false;
  std::string request; ///< the bytes of it
  time_ns since = 0;   ///< when it became what it is now; of a busy one: when the request was sent

private:
  int socket_ = -1;
  int epoll_ = -1;
  state state_ = state::closed;
  std::size_t unsent_ = 0; ///< bytes at the end of the request
  bool waits_to_write_ = false;
  answer_reader reader_;
  std::string_view why_;

  void watch(std::uint32_t events, int how);
};

} // namespace usher::load
