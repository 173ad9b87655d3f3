#include "tests/gateways/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <memory>
#include <optional>
#include <stdexcept>

namespace usher::test {

namespace {

/// Bytes to and from one client, with TLS or without.
class peer_stream {
public:
  peer_stream(int fd, SSL_CTX* tls) : fd_{fd} {
    if (tls == nullptr)
      return;
    ssl_ = SSL_new(tls);
    SSL_set_fd(ssl_, fd);
    open_ = SSL_accept(ssl_) == 1;
  }
  ~peer_stream() { SSL_free(ssl_); }
  peer_stream(const peer_stream&) = delete;
  peer_stream& operator=(const peer_stream&) = delete;

  [[nodiscard]] bool is_open() const { return open_; }

  bool more(std::string& got) {
    char bytes[4096];
    const auto n = ssl_ != nullptr ? SSL_read(ssl_, bytes, sizeof bytes)
                                   : static_cast<int>(::recv(fd_, bytes, sizeof bytes, 0));
    if (n <= 0)
      return false;
    got.append(bytes, static_cast<std::size_t>(n));
    return true;
  }

  void write(const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto left = bytes.size() - done;
      const auto n = ssl_ != nullptr
                         ? SSL_write(ssl_, bytes.data() + done, static_cast<int>(left))
                         : static_cast<int>(::send(fd_, bytes.data() + done, left, MSG_NOSIGNAL));
      if (n <= 0)
        return;
      done += static_cast<std::size_t>(n);
    }
  }

  void shut() {
    if (ssl_ != nullptr)
      SSL_shutdown(ssl_);
  }

private:
  int fd_;
  SSL* ssl_ = nullptr;
  bool open_ = true;
};

seen_request parse_head(const std::string& head) {
  seen_request request;
  const auto first = head.find(' ');
  const auto second = head.find(' ', first + 1);
  request.method = head.substr(0, first);
  request.target = head.substr(first + 1, second - first - 1);
  auto at = head.find("\r\n") + 2;
  while (at < head.size()) {
    const auto end = head.find("\r\n", at);
    const auto colon = head.find(": ", at);
    auto name = head.substr(at, colon - at);
    for (auto& c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    request.headers[name] = head.substr(colon + 2, end - colon - 2);
    at = end + 2;
  }
  return request;
}

std::optional<seen_request> read_request(peer_stream& from, std::string& got) {
  std::size_t end = 0;
  while ((end = got.find("\r\n\r\n")) == std::string::npos)
    if (!from.more(got))
      return std::nullopt;
  auto request = parse_head(got.substr(0, end + 2));
  got.erase(0, end + 4);
  const auto length = request.headers.find("content-length");
  const auto size = length == request.headers.end() ? 0 : std::stoul(length->second);
  while (got.size() < size)
    if (!from.more(got))
      return std::nullopt;
  request.body = got.substr(0, size);
  got.erase(0, size);
  return request;
}

SSL_CTX* server_context(const certificate& with) {
  auto* tls = SSL_CTX_new(TLS_server_method());
  const std::unique_ptr<BIO, int (*)(BIO*)> key{
      BIO_new_mem_buf(with.key_pem.data(), static_cast<int>(with.key_pem.size())), BIO_free};
  const std::unique_ptr<BIO, int (*)(BIO*)> own{
      BIO_new_mem_buf(with.certificate_pem.data(), static_cast<int>(with.certificate_pem.size())),
      BIO_free};
  auto* private_key = PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr);
  auto* x509 = PEM_read_bio_X509(own.get(), nullptr, nullptr, nullptr);
  const bool good =
      SSL_CTX_use_certificate(tls, x509) == 1 && SSL_CTX_use_PrivateKey(tls, private_key) == 1;
  X509_free(x509);
  EVP_PKEY_free(private_key);
  if (!good)
    throw std::runtime_error("the certificate cannot be used");
  return tls;
}

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

int listen_on_loopback(std::uint16_t& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(fd, 64) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("cannot listen");
  port = ntohs(address.sin_port);
  return fd;
}

} // namespace

reaction json_answer(int status, const std::string& body) {
  return {reaction::kind::answer, "HTTP/1.1 " + std::to_string(status) +
                                      " X\r\nContent-Type: application/json\r\nContent-Length: " +
                                      std::to_string(body.size()) + "\r\n\r\n" + body};
}

certificate make_certificate(const std::string& dns_name) {
  auto* key = EVP_EC_gen("P-256");
  auto* x509 = X509_new();
  X509_set_version(x509, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
  X509_set_pubkey(x509, key);
  auto* name = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("usher test"), -1, -1, 0);
  X509_set_issuer_name(x509, name);
  const auto names = "DNS:" + dns_name;
  auto* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  X509_add_ext(x509, extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(x509, key, EVP_sha256());

  const std::unique_ptr<BIO, int (*)(BIO*)> key_bio{BIO_new(BIO_s_mem()), BIO_free};
  const std::unique_ptr<BIO, int (*)(BIO*)> own_bio{BIO_new(BIO_s_mem()), BIO_free};
  PEM_write_bio_PrivateKey(key_bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  PEM_write_bio_X509(own_bio.get(), x509);
  X509_free(x509);
  EVP_PKEY_free(key);
  return {text_of(key_bio.get()), text_of(own_bio.get())};
}

scripted_server::scripted_server(script what, const certificate* tls)
    : script_{std::move(what)},
      tls_{tls != nullptr ? server_context(*tls) : nullptr},
      listener_{listen_on_loopback(port_)} {
  std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes to clients that are gone
  accepting_ = std::thread{[this] { accept_all(); }};
}

scripted_server::~scripted_server() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const auto& each : peers_)
      if (each.fd >= 0)
        ::shutdown(each.fd, SHUT_RDWR);
  }
  accepting_.join();
  for (auto& each : peers_)
    each.thread.join();
  ::close(listener_);
  SSL_CTX_free(tls_);
}

std::string scripted_server::url(const std::string& host) const {
  return (tls_ != nullptr ? "https://" : "http://") + host + ":" + std::to_string(port_);
}

std::vector<seen_request> scripted_server::seen() const {
  const std::lock_guard lock{mutex_};
  return seen_;
}

std::size_t scripted_server::connections() const {
  const std::lock_guard lock{mutex_};
  return peers_.size();
}

void scripted_server::accept_all() {
  for (;;) {
    const int fd = ::accept(listener_, nullptr, nullptr);
    const std::lock_guard lock{mutex_};
    if (fd < 0 || stopping_) {
      if (fd >= 0)
        ::close(fd);
      return;
    }
    auto& added = peers_.emplace_back();
    added.fd = fd;
    added.thread = std::thread{[this, &added, fd, number = peers_.size() - 1] {
      serve(fd, number);
      const std::lock_guard closing{mutex_};
      ::close(fd);
      added.fd = -1;
    }};
  }
}

reaction scripted_server::react(seen_request request) {
  {
    const std::lock_guard lock{mutex_};
    seen_.push_back(request);
  }
  const std::lock_guard lock{script_mutex_};
  return script_(request);
}

void scripted_server::serve(int fd, std::size_t number) {
  peer_stream stream{fd, tls_};
  std::string got;
  while (stream.is_open()) {
    auto request = read_request(stream, got);
    if (!request)
      return;
    request->connection = number;
    const auto what = react(std::move(*request));
    stream.write(what.bytes);
    switch (what.what) {
    case reaction::kind::answer:
      break;
    case reaction::kind::close:
      stream.shut();
      return;
    case reaction::kind::reset: {
      const linger now{.l_onoff = 1, .l_linger = 0};
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
      return;
    }
    case reaction::kind::never:
      while (stream.more(got)) {
      }
      return;
    }
  }
}

std::uint16_t closed_port() {
  std::uint16_t port = 0;
  ::close(listen_on_loopback(port));
  return port;
}

} // namespace usher::test
