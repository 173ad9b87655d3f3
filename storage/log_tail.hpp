#pragma once

#include "storage/batch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

// The running end of a log. The writer makes the next batch from it; a reader checks each batch
// against it. One place for the rule how a log goes on.
namespace usher::storage {

using version_map = std::unordered_map<std::string, std::uint64_t>;

/// Where a log ends by its own account.
struct log_end {
  log_head head;
  version_map versions; ///< the last of every subject
};

/// A batch that fits, its bytes, and the head it leads to.
struct prepared_batch {
  batch what;
  std::string value;
  log_head head;
};

class log_tail {
public:
  /// The end of the empty log.
  log_tail() = default;

  /// The end of a log that was found so: `versions` has every subject's last version, `epoch` is
  /// that of the last batch.
  log_tail(log_head head, version_map versions, std::uint64_t epoch);

  /// The end just before `next`, which is taken at its word: for reading from the middle of a log.
  /// Of a subject, the first version that comes is taken; the number of batches is not known.
  [[nodiscard]] static log_tail before(const batch& next);

  [[nodiscard]] const log_head& head() const { return head_; }
  [[nodiscard]] const version_map& versions() const { return versions_; }
  [[nodiscard]] log_end end() const { return {head_, versions_}; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] bool from_the_start() const { return from_the_start_; }

  /// The batch that these records (at least one) would be. Changes nothing: call accept when it is
  /// durable. A subject that is empty or has a NUL, and a batch that is too large, are failures.
  [[nodiscard]] std::variant<prepared_batch, failure> prepare(const std::vector<record>& records,
                                                              std::uint64_t epoch);
  void accept(const prepared_batch& next);

  /// Checks that a stored batch goes on from here (position, versions, chain, epoch) and goes on.
  /// `chain`: the head after it, of its own `previous` and its bytes. After a failure, which says
  /// where, the tail is of no further use.
  [[nodiscard]] std::optional<failure> check(const batch& next, const digest& chain);

private:
  log_head head_;
  version_map versions_;
  std::uint64_t epoch_ = 0;
  bool from_the_start_ = true;
  chain_hasher hasher_;
};

} // namespace usher::storage
