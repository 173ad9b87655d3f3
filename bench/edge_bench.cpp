// What the edge does with a poll before anybody is asked: the ticket's MAC, and the route.
#include "http/api/route_lookup.hpp"
#include "http/api/ticket.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

namespace usher::http {
namespace {

ticket_codec some_codec() {
  constexpr std::array<std::uint8_t, 32> key{1, 2, 3};
  return ticket_codec{hmac_key{key}};
}

void write_ticket(benchmark::State& run) {
  const auto codec = some_codec();
  ticket next{.show = 3, .slot = 0, .nonce = 0x0123456789abcdef};
  for ([[maybe_unused]] auto _ : run) {
    ++next.slot;
    benchmark::DoNotOptimize(codec.write(next));
  }
}
BENCHMARK(write_ticket);

/// The MAC of a poll.
void read_ticket(benchmark::State& run) {
  const auto codec = some_codec();
  const auto text = codec.write({.show = 3, .slot = 1'234'567, .nonce = 0x0123456789abcdef});
  for ([[maybe_unused]] auto _ : run)
    benchmark::DoNotOptimize(codec.read(text));
}
BENCHMARK(read_ticket);

void route(benchmark::State& run, method asked, std::string_view path) {
  request what;
  what.method = asked;
  what.path = path;
  for ([[maybe_unused]] auto _ : run)
    benchmark::DoNotOptimize(find_route(what));
}
constexpr std::string_view poll_path = "/v1/shows/hamlet/waiting-room/tickets/"
                                       "AQAAAAMAEtaHASNFZ4mrze8AAAAAAAAAAAAAAAAAAAAA";
BENCHMARK_CAPTURE(route, of_a_poll, method::get, poll_path);
BENCHMARK_CAPTURE(route, of_a_join, method::post, "/v1/shows/hamlet/waiting-room/join");
BENCHMARK_CAPTURE(route, of_nothing, method::get, "/v1/no/such/thing");

} // namespace
} // namespace usher::http
