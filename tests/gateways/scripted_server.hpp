#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;

// A server on 127.0.0.1 that does what a table says, right or wrong: for tests of whoever asks it.
namespace usher::test {

struct seen_request {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers{}; ///< names in lower case
  std::string body{};
  std::size_t connection = 0; ///< from 0, in the order of arrival
};

/// What is done about a request.
struct reaction {
  enum class kind : std::uint8_t {
    answer, ///< the bytes, then on with the next request
    close,  ///< the bytes, then an orderly close
    reset,  ///< the bytes, then a reset
    never,  ///< the bytes, then silence until the client has gone
  };
  kind what = kind::answer;
  std::string bytes{};
};

/// A whole answer with that JSON.
[[nodiscard]] reaction json_answer(int status, const std::string& body);

/// A private key and a certificate that it signed itself, in PEM.
struct certificate {
  std::string key_pem;
  std::string certificate_pem;
};
[[nodiscard]] certificate make_certificate(const std::string& dns_name);

class scripted_server {
public:
  using script = std::function<reaction(const seen_request&)>;

  /// `tls`: none is plain HTTP. The script is called from several threads, one at a time.
  explicit scripted_server(script what, const certificate* tls = nullptr);
  ~scripted_server();
  scripted_server(const scripted_server&) = delete;
  scripted_server& operator=(const scripted_server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const;
  [[nodiscard]] std::vector<seen_request> seen() const;
  [[nodiscard]] std::size_t connections() const;

private:
  struct peer {
    int fd = -1;
    std::thread thread;
  };

  void accept_all();
  void serve(int fd, std::size_t number);
  [[nodiscard]] reaction react(seen_request request);

  script script_;
  ssl_ctx_st* tls_ = nullptr;
  std::uint16_t port_ = 0; // before the listener, which sets it
  int listener_ = -1;
  mutable std::mutex mutex_;
  std::mutex script_mutex_;
  bool stopping_ = false;
  std::vector<seen_request> seen_;
  std::list<peer> peers_;
  std::thread accepting_;
};

/// A port on which nobody listens.
[[nodiscard]] std::uint16_t closed_port();

} // namespace usher::test
