#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "http/crypto/crypto.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace usher::http {

/// Why a solution does not count. Each has a plain sentence.
enum class proof_fault : std::uint8_t {
  malformed,
  forged,
  other_show,
  expired,
  too_easy,
  spent,
  overloaded, ///< too many solved at once: to be answered 503
};

[[nodiscard]] std::string_view to_string(proof_fault fault);

struct proof_of_work_options {
  unsigned difficulty = 17;          ///< bits; each one doubles the work
  duration_ms lifetime_ms = 120'000; ///< from the challenge to its use, by hand and on a slow phone
  std::size_t spent_max =
      4'000'000; ///< spent challenges that have not expired: at most about 160 MB
};

/// A piece of work that a browser does before it joins, so that a million joins cost a million
/// times that work. Thread-safe.
///
/// A challenge is 46 bytes as 62 characters of base64url: version (1) ‖ show (4) ‖ difficulty (1) ‖
/// expiry in ms since the epoch (8) ‖ random (16) ‖ MAC (16), big-endian; the MAC is HMAC-SHA256
/// over the bytes before it, cut to 16. Solving it is finding a nonce (1 to 32 visible ASCII
/// characters) so that SHA-256(challenge ‖ ":" ‖ nonce), over the texts, begins with `difficulty`
/// zero bits. That takes 2^difficulty hashes on average: 2^17 are about one second of a browser's
/// WebCrypto.
///
/// The key of the MAC is drawn anew for each object and kept nowhere: the challenges of an earlier
/// process are refused as forged, so what that process knew as spent need not be known here. A page
/// then asks for a new challenge.
class proof_of_work {
public:
  static constexpr std::size_t challenge_length = 62;
  static constexpr std::size_t nonce_length_max = 32;

  explicit proof_of_work(proof_of_work_options options = {});

  /// A new challenge. Nothing is remembered of it until it is spent.
  [[nodiscard]] std::string issue(show_number show, time_ms now) const;

  /// Nothing if the work was done: then the challenge is spent, and no other call gets nothing for
  /// it again. A fault spends nothing. At exactly its expiry a challenge has expired.
  [[nodiscard]] std::optional<proof_fault> spend(show_number show, std::string_view challenge,
                                                 std::string_view nonce, time_ms now);

  [[nodiscard]] const proof_of_work_options& options() const { return options_; }

  /// How many spent challenges are remembered.
  [[nodiscard]] std::size_t remembered() const;

private:
  using spent_ids = boost::unordered_flat_set<id128, id_hash>;

  [[nodiscard]] std::optional<proof_fault> remember(const id128& id, time_ms expires, time_ms now);
  void forget_expired();

  const proof_of_work_options options_;
  const duration_ms slice_ms_; ///< see spent_
  const hmac_key key_;

  mutable std::mutex mutex_; ///< guards what follows
  time_ms newest_ = 0;       ///< the latest `now` of any thread: what has expired stays so
  /// The random parts, in slices by their expiry (the number of the slice): a slice whose end has
  /// passed goes as a whole, and nobody searches for what is old.
  std::map<time_ms, spent_ids> spent_;
  std::size_t spent_count_ = 0;
};

} // namespace usher::http
