// What a reader beside the writer asks of a log, in memory and on disk alike: the chain at a
// position, and a replay that ends where the log ended when it began.
#include "tests/storage/log_fixtures.hpp"

#include <atomic>
#include <thread>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

BOOST_AUTO_TEST_CASE_TEMPLATE(the_chain_is_known_where_a_batch_ends, fixture, logs) {
  fixture f;
  std::vector<log_head> ends{f.log().head()};
  for (std::size_t size = 1; size <= 4; ++size) {
    must_append(f.log(), std::vector<record>(size, fact("shows", "x")));
    ends.push_back(f.log().head());
  }
  for (int life = 0; life < 2; ++life) {
    for (position_t at = 0; at <= 12; ++at) {
      std::optional<digest> expected;
      for (const auto& end : ends)
        if (end.position == at)
          expected = end.chain;
      BOOST_TEST((must(f.log().chain_at(at)) == expected), "position " << at);
    }
    f.come_back();
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_replay_beside_the_writer_is_whole_and_ends, fixture, logs) {
  fixture f;
  constexpr position_t all = 600;
  std::atomic<bool> over{false};
  std::atomic<std::size_t> replays{0};
  std::string fault;
  std::thread reader{[&] {
    position_t from = 1;
    while (fault.empty() && (!over || replays < 2)) {
      const auto before = f.log().head();
      position_t last = from - 1;
      const auto failed = f.log().replay(from, [&](const stored_record& one) {
        if (one.position != last + 1)
          fault = "a gap";
        last = one.position;
        return true;
      });
      if (failed)
        fault = failed->what;
      else if (last < before.position)
        fault = "it ended too early";
      else if (const auto chain = f.log().chain_at(before.position);
               refusal(chain) != "" || std::get<0>(chain) != before.chain)
        fault = "another chain";
      from = replays++ % 2 == 0 ? before.position + 1 : 1; // also of what is new only
    }
  }};
  while (f.log().head().position < all || replays < 4)
    must_append(f.log(), {fact("a", "x"), fact("b", "y"), fact("a", "z")});
  over = true;
  reader.join();
  BOOST_TEST(fault == "");
}
