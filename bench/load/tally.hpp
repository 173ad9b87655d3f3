#pragma once

#include "bench/load/histogram.hpp"
#include "bench/load/request_kind.hpp"
#include "bench/load/verdict.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace usher::load {

/// All answers to one kind of request.
struct kind_tally {
  std::uint64_t fine = 0;
  std::uint64_t refused = 0;
  std::uint64_t shed = 0;
  std::uint64_t wrong = 0;
  histogram latency;      ///< of `fine` and `refused`: from when it was meant to be sent
  histogram shed_latency; ///< of `shed`

  [[nodiscard]] std::uint64_t all() const { return fine + refused + shed + wrong; }
};

/// How far whoever makes the load fell behind.
struct lateness {
  time_ns sent_late_max = 0;     ///< of a request, after it was due
  std::uint64_t waiting_max = 0; ///< requests that were due and had no connection, of a thread

  void merge(const lateness& other);
};

/// Several answers that were wrong, or refused, in the same way.
struct remark {
  std::uint64_t count = 0;
  std::string example; ///< the beginning of the first of them
};

/// What came back, counted. Not thread-safe: each thread has its own, and they are merged.
class tally {
public:
  struct remark_key {
    outcome what = outcome::wrong;
    request_kind kind = request_kind::page;
    std::string why;
    auto operator<=>(const remark_key&) const = default;
  };

  static constexpr std::size_t example_bytes_max = 240;

  void add(request_kind kind, const verdict& what, time_ns latency, std::string_view example);
  void merge(const tally& other);

  [[nodiscard]] const kind_tally& of(request_kind kind) const {
    return kinds_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const std::map<remark_key, remark>& remarks() const { return remarks_; }
  [[nodiscard]] std::uint64_t answered() const { return answered_; }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t shed() const { return shed_; }

private:
  std::array<kind_tally, request_kinds> kinds_;
  std::map<remark_key, remark> remarks_;
  std::uint64_t answered_ = 0;
  std::uint64_t wrong_ = 0;
  std::uint64_t shed_ = 0;
};

} // namespace usher::load
