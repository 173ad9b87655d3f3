#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// One request on a connection of its own, and how the connection ends.
namespace usher::test {

/// The client says at once that it will send no more. So a server that means to stay silent until
/// its peer closes ends the connection without a byte, and nobody has to wait for a time to pass.
struct heard {
  int status = 0; ///< 0: no answer
  std::string body{};
  bool reset = false; ///< the connection was cut, not closed

  /// "200", "silence" or "reset".
  [[nodiscard]] std::string how() const {
    if (status != 0)
      return std::to_string(status);
    return reset ? "reset" : "silence";
  }
};

class socket_to {
public:
  explicit socket_to(std::uint16_t port) : fd_{::socket(AF_INET, SOCK_STREAM, 0)} {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error{"cannot connect"};
  }
  ~socket_to() { ::close(fd_); }
  socket_to(socket_to&&) = delete;
  socket_to& operator=(socket_to&&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0)
        return; // what the server says of it is still to be read
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void send_no_more() { ::shutdown(fd_, SHUT_WR); }

  /// Everything up to the end.
  std::string read(bool& reset) {
    std::string got;
    char bytes[16384];
    for (;;) {
      const auto count = ::recv(fd_, bytes, sizeof bytes, 0);
      if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        throw std::runtime_error{"the server neither answers nor closes"};
      reset = count < 0;
      if (count <= 0)
        return got;
      got.append(bytes, static_cast<std::size_t>(count));
    }
  }

private:
  int fd_;
};

/// `headers` are whole lines, each with its line break.
inline std::string request_bytes(std::string_view method, std::string_view path,
                                 std::string_view headers, std::string_view body) {
  std::string bytes{method};
  bytes.append(" ").append(path).append(" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
  bytes.append(headers);
  bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return bytes.append(body);
}

inline heard ask(std::uint16_t port, std::string_view method, std::string_view path,
                 std::string_view headers = {}, std::string_view body = {}) {
  socket_to server{port};
  server.send(request_bytes(method, path, headers, body));
  server.send_no_more();
  heard made;
  const auto got = server.read(made.reset);
  if (got.starts_with("HTTP/1.1 "))
    std::from_chars(got.data() + 9, got.data() + 12, made.status);
  if (const auto end = got.find("\r\n\r\n"); end != std::string::npos)
    made.body = got.substr(end + 4);
  return made;
}

} // namespace usher::test
