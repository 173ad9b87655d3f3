#pragma once

#include "storage/batch.hpp"
#include "storage/replay.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace usher::storage {

/// A batch as it was read.
struct read_batch {
  position_t key = 0; ///< where it is filed, and begins
  batch what;
  std::string value; ///< its bytes
  digest chain{};    ///< the head after it, of its own `previous` and its bytes
};

/// Decodes and hashes batches in their order. What it hands out is used again, strings and all:
/// valid until the next is asked for. One thread at a time.
class batch_reading {
public:
  /// `ahead`: some pieces ahead of who asks, on two threads of its own: one calls `next` and
  /// decodes, one hashes, which takes as long. That takes a few MiB, or as much as a batch a piece
  /// of the largest. Else in place.
  batch_reading(batch_source next, bool ahead);
  ~batch_reading();
  batch_reading(const batch_reading&) = delete;
  batch_reading& operator=(const batch_reading&) = delete;

  /// Null at the end.
  [[nodiscard]] std::variant<const read_batch*, failure> next();

private:
  struct piece {
    std::vector<read_batch> batches;
    std::size_t used = 0; ///< of `batches`
    bool is_last = false; ///< behind it is the end, or the fault
    std::optional<failure> fault{};
  };

  /// False at the end, and after a fault.
  bool read_one(piece& into);
  void hash(read_batch& of);
  void fill(piece& into);
  void run_reader();
  void run_hasher();
  /// On to the next piece, which may have to be filled and hashed first.
  void turn_over();

  batch_source next_;
  chain_hasher hasher_;
  std::size_t bytes_ = 0; ///< read into the piece that is being filled

  std::vector<piece> pieces_;  ///< a ring; one of them, where nothing is read ahead
  const piece* now_ = nullptr; ///< whose batches are handed out; null before the first
  std::size_t at_ = 0;         ///< its next batch
  std::size_t taken_ = 0;      ///< how many pieces were `now_`

  std::mutex lock_; ///< of what follows
  std::condition_variable changed_;
  std::size_t filled_ = 0; ///< how many pieces were, each but the first `freed_` still in use
  std::size_t hashed_ = 0;
  std::size_t freed_ = 0;
  bool stopped_ = false;
  std::thread reader_;
  std::thread hasher_thread_;
};

} // namespace usher::storage
