#pragma once

#include "storage/event_log.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A batch is what is appended, hashed and stored: one value, one step of the chain.
// The bytes are described, with a worked example and their weaknesses, in docs/log-format.md.
namespace usher::storage {

/// Raised when a batch changes so that an older program would misread it.
inline constexpr std::uint32_t batch_format = 1;

/// A larger value is neither written nor read.
inline constexpr std::size_t batch_bytes_max = std::size_t{64} << 20;

struct batch {
  std::uint32_t shard = 0;
  std::uint64_t epoch = 0;            ///< which opening of the log for writing this is, from 1
  digest previous{};                  ///< the chain before this batch; all zero for the first
  std::vector<stored_record> records; ///< at least one; positions without gaps

  [[nodiscard]] position_t first() const { return records.front().position; }
  [[nodiscard]] position_t last() const { return records.back().position; }
  bool operator==(const batch&) const = default;
};

/// `records` must not be empty; only the position of the first is stored. The same batch gives the
/// same bytes.
[[nodiscard]] std::string encode_batch(const batch& what);

/// Strict, like the codec of events: whatever is not exactly a batch of a known format is a
/// failure.
[[nodiscard]] std::variant<batch, failure> decode_batch(std::string_view value);

/// The same into a batch that is used again, with the memory that its strings have. After a failure
/// it holds anything; `batch_first` and `places` of its records stay what they were.
[[nodiscard]] std::optional<failure> decode_batch(std::string_view value, batch& into);

/// SHA-256, with the context kept from one call to the next. One thread at a time.
class chain_hasher {
public:
  chain_hasher();
  ~chain_hasher();
  chain_hasher(chain_hasher&&) noexcept;
  chain_hasher& operator=(chain_hasher&&) noexcept;

  /// The head after a batch: SHA-256(previous ‖ value), `value` exactly as stored.
  [[nodiscard]] digest next(const digest& previous, std::string_view value);

private:
  struct context;
  std::unique_ptr<context> context_;
};

} // namespace usher::storage
