#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <zlib.h>

namespace usher::test {

/// What gzip bytes say, which is at most `bytes_max`; a failed check if they are none.
inline std::string unpacked(const std::string& bytes, std::size_t bytes_max) {
  z_stream stream{};
  BOOST_REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK); // 16: gzip only
  std::string made(bytes_max, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  BOOST_TEST(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  made.resize(stream.total_out);
  inflateEnd(&stream);
  return made;
}

} // namespace usher::test
