#pragma once

#include <arpa/inet.h>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

// A blocking client on 127.0.0.1 that sends bytes as they are given: for what no HTTP library would
// send. Reads give up after twenty seconds, so a server that hangs fails a test and does not hang
// it.
namespace usher::test {

struct answer {
  int status = 0;
  std::map<std::string, std::string> headers{}; ///< names in lower case
  std::string body{};

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
  [[nodiscard]] bool closes() const { return header("connection") == "close"; }
};

class raw_client {
public:
  /// A socket that is not connected yet; `receive_buffer_bytes` as small as a slow reader's.
  explicit raw_client(int receive_buffer_bytes = 0) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (fd_ < 0)
      throw std::runtime_error("no socket");
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    const int yes = 1;
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (receive_buffer_bytes > 0)
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
  }
  raw_client(raw_client&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), got_(std::move(other.got_)) {}
  raw_client& operator=(raw_client&&) = delete;
  ~raw_client() { close(); }

  static raw_client to(std::uint16_t port) {
    raw_client c;
    if (!c.connect(port))
      throw std::runtime_error("cannot connect");
    return c;
  }

  [[nodiscard]] bool connect(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  /// False if the server has cut the connection.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0)
        return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  void shutdown_send() { ::shutdown(fd_, SHUT_WR); }

  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

  /// The next answer, 100 Continue included; nothing if the server closed first. `head`: it answers
  /// a HEAD, so no body follows. Throws if the bytes are not HTTP or the patience is over.
  std::optional<answer> read(bool head = false) {
    std::size_t end = 0;
    while ((end = got_.find("\r\n\r\n")) == std::string::npos)
      if (!more())
        return std::nullopt;
    answer a = parse_head(std::string_view(got_).substr(0, end + 2));
    got_.erase(0, end + 4);
    const bool bodiless = head || a.status < 200 || a.status == 204 || a.status == 304;
    if (bodiless)
      return a;
    if (!a.headers.contains("content-length"))
      throw std::runtime_error("an answer without Content-Length");
    const auto size = std::stoul(a.header("content-length"));
    while (got_.size() < size)
      if (!more())
        return std::nullopt;
    a.body = got_.substr(0, size);
    got_.erase(0, size);
    return a;
  }

  /// What the next chunk of a chunked body holds: nothing for the last one. Throws if it is no
  /// chunk or the server closes before its end.
  std::string read_chunk() {
    const auto line = take(find("\r\n") + 2);
    std::size_t size = 0;
    const auto* end = line.data() + line.size() - 2;
    if (std::from_chars(line.data(), end, size, 16).ptr != end || line.size() == 2)
      throw std::runtime_error("not a chunk's size: " + line);
    while (got_.size() < size + 2)
      if (!more())
        throw std::runtime_error("closed within a chunk");
    auto bytes = take(size);
    if (take(2) != "\r\n")
      throw std::runtime_error("a chunk does not end where it should");
    return bytes;
  }

  /// Everything up to the server's close, however it closes.
  std::string read_to_end() {
    while (more()) {
    }
    return std::exchange(got_, {});
  }

  /// Whether the server closes without another byte.
  bool ends() { return read_to_end().empty(); }

private:
  std::size_t find(std::string_view what) {
    std::size_t at = 0;
    while ((at = got_.find(what)) == std::string::npos)
      if (!more())
        throw std::runtime_error("closed before the next chunk");
    return at;
  }

  std::string take(std::size_t n) {
    auto bytes = got_.substr(0, n);
    got_.erase(0, n);
    return bytes;
  }

  bool more() {
    char bytes[16384];
    const auto n = ::recv(fd_, bytes, sizeof bytes, 0);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      throw std::runtime_error("the server neither answers nor closes");
    if (n <= 0)
      return false;
    got_.append(bytes, static_cast<std::size_t>(n));
    return true;
  }

  static answer parse_head(std::string_view head) {
    answer a;
    const auto line = head.substr(0, head.find("\r\n"));
    if (!line.starts_with("HTTP/1.1 ") || line.size() < 12)
      throw std::runtime_error("not a status line: " + std::string(line));
    std::from_chars(line.data() + 9, line.data() + 12, a.status);
    head.remove_prefix(line.size() + 2);
    while (!head.empty()) {
      const auto field = head.substr(0, head.find("\r\n"));
      const auto colon = field.find(": ");
      if (colon == std::string_view::npos)
        throw std::runtime_error("not a header field: " + std::string(field));
      std::string name(field.substr(0, colon));
      for (auto& c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (!a.headers.emplace(name, field.substr(colon + 2)).second)
        throw std::runtime_error("a repeated header field: " + name);
      head.remove_prefix(field.size() + 2);
    }
    return a;
  }

  int fd_;
  std::string got_;
};

} // namespace usher::test
