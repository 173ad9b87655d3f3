#include "http/api/representation.hpp"

#include "http/api/negotiation.hpp"

#include <stdexcept>
#include <utility>
#include <zlib.h>

namespace usher::http {

namespace {

/// Of a seat map it makes as few bytes as zlib's own default, in a third of the time.
constexpr int gzip_level = 4;

} // namespace

representation::representation(std::string body, std::string tag)
    : body_{std::move(body)}, tag_{std::move(tag)} {}

const std::string& representation::gzip() const {
  std::call_once(compressing_, [this] { gzip_ = gzip_of(body_); });
  return gzip_;
}

std::string representation::etag(bool compressed) const {
  return "\"" + tag_ + (compressed ? "-gz\"" : "\"");
}

std::string gzip_of(std::string_view bytes) {
  constexpr int window_bits_of_gzip = 15 + 16; // 16: with the header of gzip, not of zlib
  constexpr int memory_level = 8;              // zlib's default
  z_stream stream{};
  if (deflateInit2(&stream, gzip_level, Z_DEFLATED, window_bits_of_gzip, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error{"zlib does not start"};
  std::string made(deflateBound(&stream, bytes.size()), '\0');
  // zlib's input is not const, but is not written to either.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  const auto ended = deflate(&stream, Z_FINISH);
  made.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END)
    throw std::runtime_error{"zlib does not come to an end"};
  made.shrink_to_fit();
  return made;
}

response answer_with(const std::shared_ptr<const representation>& what, const request& asked) {
  const bool compressed = what->has_gzip() && takes_gzip(asked.accept_encoding);
  const auto etag = what->etag(compressed);
  response made;
  made.headers =
      "ETag: " + etag + "\r\nCache-Control: public, max-age=1\r\nVary: Accept-Encoding\r\n";
  if (names_etag(asked.if_none_match, etag)) {
    made.status = 304;
  } else {
    if (compressed)
      made.headers += "Content-Encoding: gzip\r\n";
    made.shared_body = {what, compressed ? &what->gzip() : &what->body()};
  }
  return made;
}

} // namespace usher::http
