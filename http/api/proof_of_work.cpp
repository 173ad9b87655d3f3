#include "http/api/proof_of_work.hpp"

#include "http/crypto/base64.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace usher::http {

namespace {

constexpr std::uint8_t version = 1;
constexpr duration_ms slices_per_lifetime = 16;

// Where the parts begin.
constexpr std::size_t show_at = 1;
constexpr std::size_t difficulty_at = 5;
constexpr std::size_t expires_at = 6;
constexpr std::size_t random_at = 14;
constexpr std::size_t mac_at = 30;
constexpr std::size_t challenge_bytes = 46;

template <class Number>
void put(std::string& into, Number value) {
  for (std::size_t i = sizeof value; i-- > 0;)
    into.push_back(static_cast<char>(value >> (8 * i)));
}

void put(std::string& into, const id128& bits) {
  into.append(reinterpret_cast<const char*>(bits.bytes.data()), bits.bytes.size());
}

template <class Number>
Number number_at(std::string_view raw, std::size_t at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i)
    value = static_cast<Number>((value << 8) | static_cast<unsigned char>(raw[at + i]));
  return value;
}

id128 id_at(std::string_view raw, std::size_t at) {
  id128 id;
  std::memcpy(id.bytes.data(), raw.data() + at, id.bytes.size());
  return id;
}

hmac_key random_key() {
  std::array<std::uint8_t, 32> key{};
  const auto first = random_id();
  const auto second = random_id();
  std::copy(first.bytes.begin(), first.bytes.end(), key.begin());
  std::copy(second.bytes.begin(), second.bytes.end(), key.begin() + 16);
  return hmac_key{key};
}

bool is_nonce(std::string_view text) {
  return !text.empty() && text.size() <= proof_of_work::nonce_length_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

unsigned leading_zero_bits(const sha256_digest& digest) {
  unsigned bits = 0;
  for (const auto byte : digest) {
    bits += static_cast<unsigned>(std::countl_zero(byte));
    if (byte != 0)
      break;
  }
  return bits;
}

} // namespace

std::string_view to_string(proof_fault fault) {
  switch (fault) {
  case proof_fault::malformed:
    return "The proof of work is not a challenge of this server with a nonce of 1 to 32 visible "
           "ASCII characters.";
  case proof_fault::forged:
    return "The challenge is not from this server, or it has been restarted since. Ask for a new "
           "one.";
  case proof_fault::other_show:
    return "The challenge is for another show. Ask for one of this show.";
  case proof_fault::expired:
    return "The challenge has expired. Ask for a new one.";
  case proof_fault::too_easy:
    return "The nonce does not solve the challenge.";
  case proof_fault::spent:
    return "The challenge has been used already. Ask for a new one.";
  case proof_fault::overloaded:
    return "Too many proofs of work at once. Nothing was recorded; try again later.";
  }
  return "";
}

proof_of_work::proof_of_work(proof_of_work_options options)
    : options_{options},
      slice_ms_{std::max<duration_ms>(1, options.lifetime_ms / slices_per_lifetime)},
      key_{random_key()} {}

std::string proof_of_work::issue(show_number show, time_ms now) const {
  std::string raw;
  raw.reserve(challenge_bytes);
  put(raw, version);
  put(raw, show);
  put(raw, static_cast<std::uint8_t>(options_.difficulty));
  put(raw, static_cast<std::uint64_t>(now + options_.lifetime_ms));
  put(raw, random_id());
  put(raw, key_.mac(raw));
  return encode_base64url(raw);
}

std::optional<proof_fault> proof_of_work::spend(show_number show, std::string_view challenge,
                                                std::string_view nonce, time_ms now) {
  const auto raw =
      challenge.size() == challenge_length ? decode_base64url(challenge) : std::nullopt;
  if (!raw || !is_nonce(nonce) || static_cast<std::uint8_t>(raw->front()) != version)
    return proof_fault::malformed;
  if (!equal(id_at(*raw, mac_at), key_.mac(std::string_view{*raw}.substr(0, mac_at))))
    return proof_fault::forged;
  if (number_at<show_number>(*raw, show_at) != show)
    return proof_fault::other_show;
  const auto expires = static_cast<time_ms>(number_at<std::uint64_t>(*raw, expires_at));
  if (now >= expires)
    return proof_fault::expired;
  const auto digest = sha256(std::string{challenge}.append(":").append(nonce));
  if (leading_zero_bits(digest) < number_at<std::uint8_t>(*raw, difficulty_at))
    return proof_fault::too_easy;
  return remember(id_at(*raw, random_at), expires, now);
}

std::size_t proof_of_work::remembered() const {
  const std::lock_guard lock{mutex_};
  return spent_count_;
}

std::optional<proof_fault> proof_of_work::remember(const id128& id, time_ms expires, time_ms now) {
  const std::lock_guard lock{mutex_};
  newest_ = std::max(newest_, now);
  // Judged again: another thread with a later `now` may have forgotten this very challenge.
  if (newest_ >= expires)
    return proof_fault::expired;
  forget_expired();
  auto& slice = spent_[expires / slice_ms_];
  if (slice.contains(id))
    return proof_fault::spent;
  if (spent_count_ >= options_.spent_max)
    return proof_fault::overloaded;
  slice.insert(id);
  ++spent_count_;
  return std::nullopt;
}

void proof_of_work::forget_expired() {
  while (!spent_.empty() && (spent_.begin()->first + 1) * slice_ms_ <= newest_) {
    spent_count_ -= spent_.begin()->second.size();
    spent_.erase(spent_.begin());
  }
}

} // namespace usher::http
