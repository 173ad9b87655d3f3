#include "tests/simulation/theatre.hpp"

#include "actors/runtime/fail_stop.hpp"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rand.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>

namespace usher::simulation {

time_ms life_clock::now() const {
  if (std::exchange(throws, false))
    throw std::runtime_error{"no memory"};
  return read();
}

theatre::config::config() {
  set("scheduler.policy", caf::atom("testing"));
  set("logger.file-verbosity", caf::atom("quiet"));
}

theatre::theatre()
    : scheduler_{dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler())} {
  scheduler_.clock().current_time += std::chrono::hours{1};
}

bool theatre::is_frozen(const caf::resumable* job) const {
  return frozen_ != nullptr && dynamic_cast<const caf::abstract_actor*>(job) == frozen_;
}

bool theatre::is_quiet() const {
  return std::ranges::all_of(scheduler_.jobs, [&](const auto* job) { return is_frozen(job); });
}

bool theatre::step(testing::random_source& random, bool in_order) {
  auto& jobs = scheduler_.jobs;
  if (jobs.empty())
    return false;
  auto picked = in_order ? 0 : random.below(jobs.size());
  if (is_frozen(jobs[picked])) {
    if (jobs.size() == 1)
      return false;
    picked = (picked + 1) % jobs.size();
  }
  std::swap(jobs.front(), jobs[picked]);
  scheduler_.run_once();
  return true;
}

void theatre::advance(duration_ms time) {
  scheduler_.advance_time(std::chrono::milliseconds{time});
}

void theatre::clear(testing::random_source& random) {
  thaw();
  do {
    while (step(random, true)) {
    }
  } while (scheduler_.trigger_timeouts() > 0); // a timeout left in the clock holds its actor
}

// ---- chance

namespace {

std::mt19937_64 openssl_chance; // NOLINT: OpenSSL's method has no place for a state of ours

int fill(unsigned char* bytes, int count) {
  for (int i = 0; i < count; ++i)
    bytes[i] = static_cast<unsigned char>(openssl_chance());
  return 1;
}

int is_seeded() {
  return 1;
}

} // namespace

void seed_openssl(std::uint64_t seed) {
  static const RAND_METHOD ours{nullptr, fill, nullptr, nullptr, fill, is_seeded};
  openssl_chance.seed(seed);
  RAND_set_rand_method(&ours);
}

// ---- the end of the process

namespace {

std::string& process_end() {
  static std::string why;
  return why;
}

} // namespace

std::string take_process_end() {
  return std::exchange(process_end(), {});
}

} // namespace usher::simulation

namespace usher::runtime {

/// Stands in for the one that ends the process: the world sees to it that nothing else happens.
caf::error end_process(const char* actor, const std::exception_ptr& thrown) {
  auto& why = simulation::process_end();
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& trouble) {
    why = std::string{actor} + ": " + trouble.what();
  }
  return caf::exit_reason::unhandled_exception;
}

} // namespace usher::runtime
