#pragma once

#include "http/server/exchange.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace usher::http {

/// Bytes that many requests share, plain and compressed. Thread-safe, and used by shared_ptr only.
class representation {
public:
  /// Below this gzip is not offered: the header would cost more than is saved.
  static constexpr std::size_t gzip_bytes_min = 1024;

  /// `tag` is of these bytes only, and plain: letters, digits, '.', '-'.
  representation(std::string body, std::string tag);

  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] bool has_gzip() const { return body_.size() >= gzip_bytes_min; }

  /// Made when it is first asked for; whoever asks meanwhile waits for it.
  [[nodiscard]] const std::string& gzip() const;

  /// Each has one of its own, since their bytes differ.
  [[nodiscard]] std::string etag(bool compressed) const;

private:
  std::string body_;
  std::string tag_;
  mutable std::once_flag compressing_;
  mutable std::string gzip_;
};

/// A member of gzip (RFC 1952) that holds these bytes.
[[nodiscard]] std::string gzip_of(std::string_view bytes);

/// 200 in the encoding that the request prefers, or 304 if it has these bytes already. Cacheable
/// for a second.
[[nodiscard]] response answer_with(const std::shared_ptr<const representation>& what,
                                   const request& asked);

} // namespace usher::http
