#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// What all fans together know of every seat, and whether the answers they got can be true. Nobody
// sees when the server decided, only that it was between the call and its answer: so a seat is
// certainly somebody's from the answer to the hold until the call that gives it back, and possibly
// from the call to the hold until the answer to giving it back. Whatever is said of a seat has to
// agree with that.
namespace usher::test {

/// A place in the order of everything that one thread sent and received.
using moment = std::uint64_t;
inline constexpr moment never = std::numeric_limits<moment>::max();

/// A call: when it was sent and when the answer came.
struct span {
  moment asked = 0;
  moment answered = never;
};

class seat_ledger {
public:
  /// A seat in the way, as a refusal names it, and why: `HELD`, `SOLD`, …
  using named = std::vector<std::pair<std::string, std::string>>;

  /// `section` groups the seats that an ask may be limited to.
  void add_seat(const std::string& seat, std::uint32_t section);

  [[nodiscard]] moment now() { return ++now_; }

  void took(std::uint32_t fan, const std::vector<std::string>& seats, span call);
  void gave_back(std::uint32_t fan, const std::vector<std::string>& seats, span call);
  void paid(std::uint32_t fan, const std::vector<std::string>& seats, span call);

  /// `wanted` is empty if the seats were not named in the ask.
  void was_refused(std::uint32_t fan, std::vector<std::string> wanted, named in_the_way, span call);
  /// No seats for an ask of `quantity` seats, not necessarily together, of these sections.
  void found_none(std::uint32_t fan, std::uint32_t quantity, std::vector<std::uint32_t> sections,
                  span call);

  [[nodiscard]] std::size_t size() const { return seats_.size(); }
  [[nodiscard]] std::size_t sold() const { return sold_; }
  [[nodiscard]] std::size_t refusals() const { return refusals_.size(); }
  [[nodiscard]] std::size_t nones() const { return nones_.size(); }

  /// Every answer that cannot be true, a sentence each. Call it when no call is under way: until
  /// then nobody knows whom a seat belonged to.
  [[nodiscard]] std::vector<std::string> complaints() const;

private:
  struct claim {
    std::uint32_t fan;
    span took;
    span gave_back{never, never};
    span paid{never, never};
  };
  struct seat {
    std::string id;
    std::uint32_t section;
    std::vector<claim> claims; ///< in the order of the answers
  };
  struct refusal {
    std::uint32_t fan;
    std::vector<std::string> wanted;
    named in_the_way;
    span call;
  };
  struct none {
    std::uint32_t fan;
    std::uint32_t quantity;
    std::vector<std::uint32_t> sections;
    span call;
  };
  using sentences = std::vector<std::string>;

  claim* claim_of(std::uint32_t fan, const std::string& seat);
  void check_owners(sentences& wrong) const;
  void check_refusal(const refusal& each, sentences& wrong) const;
  void check_nones(sentences& wrong) const;

  std::vector<seat> seats_;
  std::unordered_map<std::string, std::size_t> index_of_;
  std::vector<refusal> refusals_;
  std::vector<none> nones_;
  std::size_t sold_ = 0;
  moment now_ = 0;
  sentences complaints_; ///< of calls that fit no claim
};

} // namespace usher::test
