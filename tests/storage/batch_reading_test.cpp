// Batches read ahead are the batches read in place: the same, in order, with the same heads, to the
// end or to the fault, whoever stops in the middle. USHER_SEED repeats a run.
//
// It bites: with a ring that is filled over pieces still in use (`<=` for `<` in run), with records
// of the batch before left in a shorter one, or with a fault told before the batches that stand in
// front of it (each tried in a copy), cases fail.
#include "storage/batch_reading.hpp"

#include "tests/storage/support.hpp"

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

/// Batches of one to forty records, some of many bytes: several pieces in all.
std::map<position_t, std::string> some_batches() {
  auto dice = seeded();
  std::map<position_t, std::string> values;
  position_t first = 1;
  for (int i = 0; i < 3'000; ++i) {
    batch next{.shard = 0, .epoch = 1, .previous = {}, .records = {}};
    next.previous[0] = static_cast<std::uint8_t>(i);
    const auto bytes = i % 100 == 0 ? 100'000 : dice() % 200;
    for (auto left = dice() % 40 + 1; left > 0; --left)
      next.records.push_back(
          {fact("queue/s" + std::to_string(dice() % 9), std::string(bytes / left, 'd'), 5),
           first + next.records.size(), dice() % 1'000});
    values[first] = encode_batch(next);
    first = next.last() + 1;
  }
  return values;
}

batch_source source_of(const std::map<position_t, std::string>& values) {
  return [&values,
          at = values.begin()]() mutable -> std::variant<std::optional<stored_batch>, failure> {
    if (at == values.end())
      return std::nullopt;
    const auto& [key, value] = *at++;
    if (value.empty())
      return failure{"no disk"};
    return stored_batch{.key = key, .value = value};
  };
}

/// How many batches come until the end (`""`) or the fault.
std::pair<std::size_t, std::string> read_all(batch_reading& reading,
                                             const std::map<position_t, std::string>& values) {
  auto wanted = values.begin();
  for (std::size_t count = 0;; ++count) {
    const auto got = reading.next();
    if (const auto* fault = std::get_if<failure>(&got))
      return {count, fault->what};
    const auto* const read = std::get<const read_batch*>(got);
    if (read == nullptr)
      return {count, ""};
    const auto& [key, value] = *wanted++;
    BOOST_REQUIRE(read->key == key);
    BOOST_REQUIRE((read->what == must(decode_batch(value))));
    BOOST_REQUIRE((read->chain == chain_hasher{}.next(read->what.previous, value)));
    for (const auto& record : read->what.records)
      BOOST_REQUIRE(record.batch_first == key);
  }
}

using outcome = std::pair<std::size_t, std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(both_ways_give_every_batch_and_then_the_end) {
  const auto values = some_batches();
  for (const bool ahead : {false, true}) {
    batch_reading reading{source_of(values), ahead};
    BOOST_TEST((read_all(reading, values) == outcome{values.size(), ""}));
    BOOST_TEST((std::get<const read_batch*>(reading.next()) == nullptr));
  }
}

BOOST_AUTO_TEST_CASE(a_fault_comes_after_what_stands_before_it) {
  const auto good = some_batches();
  for (const std::size_t where : {std::size_t{0}, std::size_t{1}, good.size() / 2, good.size() - 1})
    for (const bool ahead : {false, true}) {
      auto values = good;
      auto& value = std::next(values.begin(), static_cast<std::ptrdiff_t>(where))->second;
      const auto sound = std::exchange(value, "");
      batch_reading unreadable{source_of(values), ahead};
      BOOST_TEST((read_all(unreadable, good) == outcome{where, "no disk"}));
      BOOST_TEST(std::get<failure>(unreadable.next()).what == "no disk");
      value = sound.substr(0, sound.size() - 1);
      batch_reading damaged{source_of(values), ahead};
      const auto [count, fault] = read_all(damaged, good);
      BOOST_TEST(count == where);
      BOOST_TEST(says(fault, "batch filed at position"), fault);
    }
}

BOOST_AUTO_TEST_CASE(a_batch_in_the_wrong_place_is_named) {
  const auto good = some_batches();
  std::map<position_t, std::string> values;
  values[7] = good.begin()->second;
  batch_reading reading{source_of(values), true};
  BOOST_TEST(says(read_all(reading, values).second, "begins at position 1"));
}

BOOST_AUTO_TEST_CASE(whoever_stops_in_the_middle_waits_for_nothing) {
  const auto values = some_batches();
  for (int rounds = 0; rounds < 50; ++rounds) {
    batch_reading reading{source_of(values), true};
    for (int left = rounds; left > 0; --left)
      BOOST_REQUIRE(std::get<const read_batch*>(reading.next()) != nullptr);
  }
}
