#pragma once

#include "storage/event_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The keys and small values of the database; docs/log-format.md describes them. All integers are
// big-endian, so that keys sort by number.
namespace usher::storage {

/// Raised when the database changes so that an older program would misread it.
inline constexpr std::uint32_t log_format = 1;

/// Raised when other records are to stand in `places`, or otherwise: the index is then made anew.
inline constexpr std::uint32_t places_format = 1;

inline constexpr const char* batches_family = "batches"; ///< batch_key -> encoded batch
inline constexpr const char* streams_family = "streams"; ///< stream_key -> position
inline constexpr const char* places_family = "places";   ///< place_key -> nothing
inline constexpr const char* meta_family = "meta";       ///< the three keys below

inline constexpr std::string_view format_key = "format"; ///< -> log_format, 4 bytes
inline constexpr std::string_view head_key = "head";     ///< -> encode_head
/// -> places_format, 4 bytes; absent while `places` is not complete.
inline constexpr std::string_view places_key = "places";

[[nodiscard]] std::string big_endian_32(std::uint32_t value);
[[nodiscard]] std::string big_endian_64(std::uint64_t value);
/// Nothing unless `bytes` has exactly 4 or 8 bytes.
[[nodiscard]] std::optional<std::uint32_t> read_big_endian_32(std::string_view bytes);
[[nodiscard]] std::optional<std::uint64_t> read_big_endian_64(std::string_view bytes);

/// Shard 0 ‖ first position: 12 bytes.
[[nodiscard]] std::string batch_key(position_t first);
[[nodiscard]] std::optional<position_t> read_batch_key(std::string_view key);

/// Subject ‖ 0x00 ‖ version.
[[nodiscard]] std::string stream_key(std::string_view subject, std::uint64_t version);
/// Where the next subject begins: no key of this subject is as large.
[[nodiscard]] std::string stream_end(std::string_view subject);

struct stream_entry {
  std::string_view subject;
  std::uint64_t version = 0;
};
/// The views point into `key`.
[[nodiscard]] std::optional<stream_entry> read_stream_key(std::string_view key);

enum class place_kind : std::uint8_t {
  event = 1, ///< of this slot, or of whole_room
  join = 2,  ///< gives out the slots from this one on
};

struct place_entry {
  std::string_view subject;
  place_kind kind = place_kind::event;
  std::uint32_t slot = 0;
  position_t position = 0;
};
/// Subject ‖ 0x00 ‖ kind ‖ slot ‖ position.
[[nodiscard]] std::string place_key(const place_entry& entry);
/// The view points into `key`.
[[nodiscard]] std::optional<place_entry> read_place_key(std::string_view key);

/// Position ‖ batches ‖ chain: 48 bytes.
[[nodiscard]] std::string encode_head(const log_head& head);
[[nodiscard]] std::optional<log_head> decode_head(std::string_view bytes);

} // namespace usher::storage
