// The contract of event_log, run against the log in memory and the log on disk alike. Receipts are
// in receipts_contract_test.cpp. What the disk alone can do is in rocksdb_log_test.cpp,
// recovery_test.cpp and damage_test.cpp.

#include "tests/storage/log_fixtures.hpp"

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::test;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_new_log_is_empty, fixture, logs) {
  fixture f;
  BOOST_TEST((f.log().head() == log_head{}));
  BOOST_TEST(all_of(f.log()).empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(records_come_back_whole_in_order_and_numbered, fixture, logs) {
  fixture f;
  const auto a = fact("block/s/A", std::string{"\0\xff bytes", 8}, 5);
  const auto b = fact("desk/s", "", 6);
  must_append(f.log(), {a, b, a});
  must_append(f.log(), {b});
  const std::vector<stored_record> expected{{a, 1, 1}, {b, 2, 1}, {a, 3, 2}, {b, 4, 2}};
  BOOST_TEST((all_of(f.log()) == expected));
  BOOST_TEST(f.log().head().position == 4U);
  BOOST_TEST(f.log().head().batches == 2U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_chain_is_the_hash_of_the_batches_as_stored, fixture, logs) {
  fixture f;
  must_append(f.log(), {fact("shows", "one"), fact("shows", "two")});
  must_append(f.log(), {fact("shows", "three")});
  batch first{.epoch = 1, .records = {{fact("shows", "one"), 1, 1}, {fact("shows", "two"), 2, 2}}};
  const auto head = chain_hasher{}.next(digest{}, encode_batch(first));
  batch second{.epoch = 1, .previous = head, .records = {{fact("shows", "three"), 3, 3}}};
  BOOST_TEST((f.log().head().chain == chain_hasher{}.next(head, encode_batch(second))));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_empty_append_is_nothing, fixture, logs) {
  fixture f;
  must_append(f.log(), {});
  BOOST_TEST((f.log().head() == log_head{}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(replay_begins_where_it_is_told, fixture, logs) {
  fixture f;
  for (int i = 0; i < 4; ++i)
    must_append(f.log(), {fact("a", "x"), fact("b", "y"), fact("a", "z")});
  const auto all = all_of(f.log());
  for (position_t from = 0; from <= 13; ++from) {
    const auto skipped = static_cast<std::ptrdiff_t>(from == 0 ? 0 : from - 1);
    const std::vector<stored_record> expected{all.begin() + skipped, all.end()};
    BOOST_TEST((all_of(f.log(), from) == expected), "from " << from);
  }
  const auto fault = f.log().replay(14, [](const stored_record&) { return true; });
  BOOST_TEST(says(refusal(fault), "beyond the end"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(replay_stops_when_told, fixture, logs) {
  fixture f;
  must_append(f.log(), {fact("a", "1"), fact("a", "2"), fact("a", "3")});
  int seen = 0;
  BOOST_TEST(refusal(f.log().replay(1, [&](const stored_record&) { return ++seen < 2; })) == "");
  BOOST_TEST(seen == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_log_that_comes_back_goes_on, fixture, logs) {
  fixture f;
  must_append(f.log(), {fact("a", "1"), fact("b", "1")});
  const auto head = f.log().head();
  const auto before = all_of(f.log());
  f.come_back();
  BOOST_TEST((f.log().head() == head));
  BOOST_TEST((all_of(f.log()) == before));
  must_append(f.log(), {fact("a", "2"), fact("c", "1")});
  const auto after = all_of(f.log());
  BOOST_REQUIRE(after.size() == 4U);
  BOOST_TEST(after[2].version == 2U);
  BOOST_TEST(after[3].version == 1U);
  BOOST_TEST(after[3].position == 4U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_a_failed_append_nothing_is_taken, fixture, logs) {
  fixture f;
  must_append(f.log(), {fact("a", "1")});
  const auto head = f.log().head();
  f.fail_next();
  BOOST_TEST(refusal(f.log().append({fact("a", "2"), fact("b", "1")})) != "");
  BOOST_TEST(refusal(f.log().append({fact("a", "3")})) != "");
  BOOST_TEST(refusal(f.log().append({})) != "");
  BOOST_TEST((f.log().head() == head));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_failed_append_is_there_whole_or_not_at_all, fixture, logs) {
  fixture f;
  must_append(f.log(), {fact("a", "1")});
  f.fail_next();
  BOOST_TEST(refusal(f.log().append({fact("a", "2"), fact("b", "1")})) != "");
  f.come_back();
  const auto found = all_of(f.log());
  BOOST_TEST((found.size() == 1U || found.size() == 3U));
  must_append(f.log(), {fact("a", "again")});
  const auto after = all_of(f.log());
  BOOST_TEST(after.back().version == (found.size() == 1U ? 2U : 3U));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subject_that_would_spoil_the_keys_is_refused, fixture, logs) {
  for (const auto& subject : {std::string{}, std::string{"a\0b", 3}}) {
    fixture f;
    must_append(f.log(), {fact("a", "1")});
    BOOST_TEST(says(refusal(f.log().append({fact("a", "2"), fact(subject, "x")})), "NUL"));
    BOOST_TEST(says(refusal(f.log().append({fact("a", "2")})), "failed before"));
    BOOST_TEST(f.log().head().position == 1U);
  }
}

// Random batches, with random returns in between, beside a list that cannot be wrong.
BOOST_AUTO_TEST_CASE_TEMPLATE(any_history_comes_back_as_it_was, fixture, logs) {
  auto random = seeded();
  fixture f;
  std::vector<stored_record> model;
  std::map<std::string, std::uint64_t> versions;
  const std::vector<std::string> subjects{"queue/s", "queue/s-1", "queue/s-10", "block/s/A", "q"};
  for (int step = 0; step < 60; ++step) {
    std::vector<record> records(1 + random() % 5);
    for (auto& record : records) {
      record = fact(subjects[random() % subjects.size()],
                    std::string(random() % 300, static_cast<char>(random())),
                    static_cast<time_ms>(random() % 1'000'000));
      model.push_back({record, model.size() + 1, ++versions[record.subject]});
    }
    must_append(f.log(), records);
    if (random() % 8 == 0)
      f.come_back();
  }
  BOOST_TEST((all_of(f.log()) == model));
}

BOOST_AUTO_TEST_CASE(the_same_records_give_the_same_chain_in_memory_and_on_disk) {
  in_memory a;
  on_disk b;
  for (auto* log : {&a.log(), &b.log()})
    for (int i = 0; i < 5; ++i)
      must_append(*log, {fact("a", "1"), fact("b", std::to_string(i))});
  BOOST_TEST((a.log().head() == b.log().head()));
}

BOOST_AUTO_TEST_CASE(memory_without_sync_loses_the_tail_in_a_crash) {
  memory_log log;
  must_append(log, {fact("a", "kept")});
  log.sync(false);
  must_append(log, {fact("a", "lost")});
  BOOST_TEST(all_of(log).size() == 2U);
  log.crash();
  BOOST_TEST(all_of(log).size() == 1U);
  must_append(log, {fact("a", "lost, but for the next")});
  log.sync(true);
  must_append(log, {fact("a", "kept, with all before it")});
  log.crash();
  BOOST_TEST(all_of(log).size() == 3U);
}

BOOST_AUTO_TEST_CASE(memory_fails_the_append_that_was_named) {
  for (std::uint64_t nth = 1; nth <= 4; ++nth) {
    memory_log log;
    log.fail_append(nth);
    for (std::uint64_t i = 1; i <= 5; ++i)
      BOOST_TEST((refusal(log.append({fact("a", "x")})) == "") == (i < nth));
    BOOST_TEST(log.head().position == nth - 1);
  }
}
