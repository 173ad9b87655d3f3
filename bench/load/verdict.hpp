#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace usher::load {

/// What an answer is worth.
enum class outcome : std::uint8_t {
  fine,    ///< what was asked for
  refused, ///< a no that is right: the seat is taken, everything is sold
  shed,    ///< 503 with Retry-After: the server has too much to do and says when to come again
  wrong,   ///< everything else, also no answer: an error of the server
};

struct verdict {
  outcome what = outcome::fine;
  std::string why{}; ///< of `refused` and `wrong`, in a few words

  [[nodiscard]] static verdict wrong(std::string why) { return {outcome::wrong, std::move(why)}; }
  [[nodiscard]] static verdict refused(std::string why) {
    return {outcome::refused, std::move(why)};
  }
};

} // namespace usher::load
