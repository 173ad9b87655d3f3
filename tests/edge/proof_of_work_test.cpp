// The proof of work: a solved challenge counts once, for its show, until it expires; every fault by
// table; and of many threads with the same solution exactly one wins.
#include "http/api/proof_of_work.hpp"

#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace usher::http;
using enum proof_fault;

constexpr usher::time_ms now = 1'800'000'000'000;
constexpr usher::duration_ms lifetime = 60'000;
constexpr usher::show_number show = 7;
constexpr unsigned bits = 6; // 64 hashes on average

proof_of_work_options easy(std::size_t spent_max = 1000) {
  return {bits, lifetime, spent_max};
}

/// Written apart from the code under test: how many zero bits come first in the digest's hex.
unsigned zero_bits(const std::string& challenge, const std::string& nonce) {
  const auto hex = to_hex(sha256(challenge + ":" + nonce));
  const auto first = std::min(hex.find_first_not_of('0'), hex.size());
  const unsigned whole = static_cast<unsigned>(first) * 4;
  const char digit = first < hex.size() ? hex[first] : 'f';
  return whole + (digit == '1' ? 3 : digit <= '3' ? 2 : digit <= '7' ? 1 : 0);
}

/// The first number that solves the challenge, or that does not.
std::string nonce_for(const std::string& challenge, bool solves = true,
                      unsigned difficulty = bits) {
  for (int nonce = 0;; ++nonce)
    if ((zero_bits(challenge, std::to_string(nonce)) >= difficulty) == solves)
      return std::to_string(nonce);
}

std::string outcome(const std::optional<proof_fault>& fault) {
  return fault ? std::string{to_string(*fault)} : "good";
}
std::string text(proof_fault fault) {
  return std::string{to_string(fault)};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_solved_challenge_counts_once) {
  proof_of_work proofs{easy()};
  const auto challenge = proofs.issue(show, now);
  BOOST_TEST(challenge.size() == proof_of_work::challenge_length);
  const auto nonce = nonce_for(challenge);
  BOOST_TEST(outcome(proofs.spend(show, challenge, nonce, now + 1)) == "good");
  BOOST_TEST(outcome(proofs.spend(show, challenge, nonce, now + 1)) == text(spent));
  BOOST_TEST(outcome(proofs.spend(show, challenge, nonce_for(challenge), now + lifetime - 1)) ==
             text(spent));
  BOOST_TEST(proofs.remembered() == 1U);
}

// The nonce has to reach the stated number of bits and no more: for each challenge the first nonces
// are judged one by one against a count of zero bits that is not the code's own.
BOOST_AUTO_TEST_CASE(exactly_the_nonces_with_enough_zero_bits_solve_it) {
  int good = 0;
  for (unsigned difficulty = 0; difficulty <= 10; ++difficulty) {
    proof_of_work proofs{{difficulty, lifetime, 1000}};
    for (int nonce = 0; nonce < 500; ++nonce) {
      const auto challenge = proofs.issue(show, now);
      const auto tried = std::to_string(nonce);
      const bool solves = zero_bits(challenge, tried) >= difficulty;
      good += solves ? 1 : 0;
      BOOST_TEST(outcome(proofs.spend(show, challenge, tried, now)) ==
                 (solves ? "good" : text(too_easy)));
    }
  }
  BOOST_TEST(good > 500); // all of difficulty 0, and some
}

BOOST_AUTO_TEST_CASE(each_fault_and_none_of_them_spends_the_challenge) {
  proof_of_work proofs{easy()};
  proof_of_work earlier_process{easy()};
  const auto challenge = proofs.issue(show, now);
  const auto nonce = nonce_for(challenge);
  const auto foreign = earlier_process.issue(show, now);
  const std::string longest(proof_of_work::nonce_length_max, '!');
  const struct {
    usher::show_number of;
    std::string challenge;
    std::string nonce;
    usher::time_ms at;
    proof_fault expected;
  } cases[] = {
      {show, "", nonce, now, malformed},
      {show, challenge + "A", nonce, now, malformed},
      {show, challenge + "=", nonce, now, malformed},
      {show, challenge.substr(1), nonce, now, malformed},
      {show, std::string(1'000'000, 'A'), nonce, now, malformed},
      {show, std::string(challenge.size(), '?'), nonce, now, malformed},
      {show, std::string(challenge.size(), 'A'), nonce, now, malformed}, // version 0
      {show, challenge, "", now, malformed},
      {show, challenge, "1 2", now, malformed},
      {show, challenge, "1\n", now, malformed},
      {show, challenge, "\x7f", now, malformed},
      {show, challenge, "\xc3\xa9", now, malformed},
      {show, challenge, std::string(1, '\0'), now, malformed},
      {show, challenge, longest + "!", now, malformed},
      {show, challenge, std::string(1'000'000, '1'), now, malformed},
      {show, foreign, nonce_for(foreign), now, forged},
      {show + 1, challenge, nonce, now, other_show},
      {show, challenge, nonce, now + lifetime, expired},
      {show, challenge, nonce, now + 100 * lifetime, expired},
      {show, challenge, nonce_for(challenge, false), now, too_easy},
  };
  for (const auto& one : cases)
    BOOST_TEST(outcome(proofs.spend(one.of, one.challenge, one.nonce, one.at)) ==
                   text(one.expected),
               one.challenge.substr(0, 80) << ' ' << one.nonce.substr(0, 40));
  BOOST_TEST(proofs.remembered() == 0U);
  // The cases above changed no clock: faults are found before anything is noted.
  BOOST_TEST(outcome(proofs.spend(show, challenge, nonce, now)) == "good");
}

// Every bit of the 46 bytes, among them the difficulty and the expiry, is covered by the MAC.
BOOST_AUTO_TEST_CASE(no_bit_of_a_challenge_can_be_changed) {
  proof_of_work proofs{{0, lifetime, 1000}}; // any nonce would solve it
  const auto challenge = proofs.issue(show, now);
  const auto raw = decode_base64url(challenge).value();
  for (std::size_t bit = 0; bit < raw.size() * 8; ++bit) {
    auto bad = raw;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    const auto expected = bit < 8 ? malformed : forged; // the first byte is the version
    BOOST_TEST(outcome(proofs.spend(show, encode_base64url(bad), "1", now)) == text(expected), bit);
  }
  // The four bits that the last character does not need: a second text of the same challenge.
  auto second_text = challenge;
  second_text.back() = static_cast<char>(second_text.back() + 1);
  BOOST_TEST(outcome(proofs.spend(show, second_text, "1", now)) == text(malformed));
  BOOST_TEST(outcome(proofs.spend(show, challenge, "1", now)) == "good");
}

BOOST_AUTO_TEST_CASE(challenges_differ) {
  const proof_of_work proofs{easy()};
  BOOST_TEST(proofs.issue(show, now) != proofs.issue(show, now));
}

BOOST_AUTO_TEST_CASE(at_exactly_its_expiry_a_challenge_has_expired) {
  for (const auto at : {now, now + 1, now + 12'345}) {
    proof_of_work proofs{easy()};
    const auto challenge = proofs.issue(show, at);
    const auto nonce = nonce_for(challenge);
    BOOST_TEST(outcome(proofs.spend(show, challenge, nonce, at + lifetime)) == text(expired));
    BOOST_TEST(outcome(proofs.spend(show, challenge, nonce, at + lifetime - 1)) == "good");
  }
}

// A challenge is spent in its last millisecond, when much of what is older has been forgotten.
BOOST_AUTO_TEST_CASE(nothing_is_forgotten_before_it_expires_and_all_of_it_after) {
  proof_of_work proofs{{0, lifetime, 1'000'000}};
  std::vector<std::string> challenges;
  for (usher::duration_ms later = 0; later < 3 * lifetime; later += 500) {
    challenges.push_back(proofs.issue(show, now + later));
    BOOST_TEST(outcome(proofs.spend(show, challenges.back(), "1", now + later)) == "good");
    for (std::size_t i = 0; i < challenges.size(); ++i) {
      const auto expires = static_cast<usher::duration_ms>(i) * 500 + lifetime;
      const auto expected = later < expires ? spent : expired;
      if (outcome(proofs.spend(show, challenges[i], "1", now + later)) != text(expected))
        BOOST_ERROR("challenge " << i << " after " << later << " ms");
    }
    // What lives, and at most a sixteenth of a lifetime more.
    BOOST_TEST(proofs.remembered() <= 120U + 8U);
  }
  BOOST_TEST(proofs.remembered() >= 120U);
  const auto last = proofs.issue(show, now + 10 * lifetime);
  BOOST_TEST(outcome(proofs.spend(show, last, "1", now + 10 * lifetime)) == "good");
  BOOST_TEST(proofs.remembered() == 1U);
}

// A thread that read the clock, then stood still while another one's later time made the spent
// challenges be forgotten: its `now` is before the expiry, and yet it must not win a second time.
// Without the second look at the expiry in `remember` it does: tried.
BOOST_AUTO_TEST_CASE(a_time_that_is_late_does_not_revive_what_was_forgotten) {
  proof_of_work proofs{{0, lifetime, 1000}};
  const auto challenge = proofs.issue(show, now);
  BOOST_TEST(outcome(proofs.spend(show, challenge, "1", now)) == "good");
  const auto other = proofs.issue(show, now + 2 * lifetime);
  BOOST_TEST(outcome(proofs.spend(show, other, "1", now + 2 * lifetime)) == "good");
  BOOST_TEST(proofs.remembered() == 1U);
  BOOST_TEST(outcome(proofs.spend(show, challenge, "1", now + lifetime - 1)) == text(expired));
}

BOOST_AUTO_TEST_CASE(beyond_the_bound_it_is_overloaded_until_some_expire) {
  proof_of_work proofs{{0, lifetime, 3}};
  std::vector<std::string> challenges;
  for (int i = 0; i < 5; ++i)
    challenges.push_back(proofs.issue(show, now));
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(outcome(proofs.spend(show, challenges[i], "1", now)) == "good");
  BOOST_TEST(outcome(proofs.spend(show, challenges[3], "1", now)) == text(overloaded));
  BOOST_TEST(outcome(proofs.spend(show, challenges[0], "1", now)) == text(spent));
  BOOST_TEST(proofs.remembered() == 3U);
  const auto later = now + 2 * lifetime;
  BOOST_TEST(outcome(proofs.spend(show, proofs.issue(show, later), "1", later)) == "good");
  BOOST_TEST(proofs.remembered() == 1U);
}

// Two threads, which start each round within a few instructions of one another, spend the same
// solution, thousands of times over. Tried on two cores: without the lock in `remember` this failed
// in 12 runs of 12; with it let go for an instant between the look and the note, in 3 of 12, some
// solutions then being won twice.
BOOST_AUTO_TEST_CASE(of_threads_with_one_solution_exactly_one_wins) {
  constexpr std::size_t threads = 2;
  constexpr std::size_t rounds = 50'000;
  proof_of_work proofs{{0, lifetime, rounds}};
  std::vector<std::string> challenges;
  for (std::size_t i = 0; i < rounds; ++i)
    challenges.push_back(proofs.issue(show, now));
  std::vector<std::atomic<int>> wins(rounds);
  std::atomic<std::size_t> arrived{0};
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i)
      running.emplace_back([&] {
        for (std::size_t round = 0; round < rounds; ++round) {
          ++arrived;
          while (arrived < (round + 1) * threads)
            std::this_thread::yield();
          if (!proofs.spend(show, challenges[round], "1", now))
            ++wins[round];
        }
      });
  }
  int not_one = 0;
  for (const auto& each : wins)
    not_one += each == 1 ? 0 : 1;
  BOOST_TEST(not_one == 0);
  BOOST_TEST(proofs.remembered() == rounds);
}

BOOST_AUTO_TEST_CASE(each_fault_has_a_sentence_of_its_own) {
  std::vector<std::string> seen;
  for (const auto fault : {malformed, forged, other_show, expired, too_easy, spent, overloaded}) {
    BOOST_TEST(to_string(fault).ends_with('.'));
    BOOST_TEST((std::find(seen.begin(), seen.end(), text(fault)) == seen.end()));
    seen.push_back(text(fault));
  }
}
