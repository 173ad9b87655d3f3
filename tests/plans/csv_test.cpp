// CSV: quoting, columns in any order, ids by the seat column or by all three, and every fault with
// its line and column.

#include "http/plans/csv.hpp"

#include "tests/plans/support.hpp"

using namespace usher;
using namespace usher::plans;
using namespace usher::plans::test;

BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(records_are_read_as_in_rfc_4180) {
  const struct {
    std::string text;
    std::vector<lines> records;
  } cases[] = {
      {"", {}},
      {"\n\r\n\n", {}},
      {"a,b", {{"a", "b"}}},
      {"a,b\nc,d\n", {{"a", "b"}, {"c", "d"}}},
      {"a\rb\r\nc", {{"a"}, {"b"}, {"c"}}},
      {",\n,,", {{"", ""}, {"", "", ""}}},
      {"\xEF\xBB\xBF\"a\",b", {{"a", "b"}}},
      {"\"a,\"\"b\"\"\",\"c\r\nd\"\ne", {{"a,\"b\"", "c\r\nd"}, {"e"}}},
      {"\"\",\"\"\"\"", {{"", "\""}}},
  };
  for (const auto& one : cases) {
    BOOST_TEST_CONTEXT(one.text) {
      csv_reader from{one.text};
      csv_reader::record next;
      std::size_t count = 0;
      for (; from.next(next); ++count) {
        BOOST_TEST(next.fault == "");
        BOOST_TEST_REQUIRE(count < one.records.size());
        BOOST_TEST(next.cells == one.records[count], boost::test_tools::per_element());
      }
      BOOST_TEST(count == one.records.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_record_knows_its_line) {
  csv_reader from{"a\n\n\"b\nb\"\nc"};
  csv_reader::record next;
  std::vector<std::size_t> at;
  while (from.next(next))
    at.push_back(next.line);
  BOOST_TEST(at == (std::vector<std::size_t>{1, 3, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_sample_is_read_whole) {
  const auto made = read_good(sample("hall.csv"), {{"Stalls", 100}, {"Box, \"royal\"", 900}});
  BOOST_TEST((made.as == format::csv));
  const auto& plan = made.plan;
  BOOST_TEST_REQUIRE(plan.categories.size() == 2U);
  BOOST_TEST((plan.categories[0] == shows::category{"Stalls", "Stalls", 100}));
  BOOST_TEST((plan.categories[1] == shows::category{"Box-royal", "Box, \"royal\"", 900}));
  BOOST_TEST_REQUIRE(plan.blocks.size() == 3U);
  BOOST_TEST(plan.blocks[0].id == "Parkett-links-Stalls");
  BOOST_TEST((plan.blocks[0].rows[0].seats ==
              std::vector<shows::planned_seat>{{"Parkett-links-1-1", shows::point{0, 0}, false},
                                               {"Parkett-links-1-2", shows::point{1, 0}, true}}));
  BOOST_TEST(plan.blocks[1].id == "Parkett-links-Box-royal");
  BOOST_TEST(
      (plan.blocks[1].rows[0].seats ==
       std::vector<shows::planned_seat>{{"Parkett-links-1-3", shows::point{2, -0.5}, false}}));
  BOOST_TEST(plan.blocks[2].id == "Balcony");
  BOOST_TEST((plan.blocks[2].rows[0].seats ==
              std::vector<shows::planned_seat>{{"Balcony-A-1", shows::point{100, 9.5}, true},
                                               {"Balcony-A-2", shows::point{101, 9.5}, false}}));
  BOOST_TEST(made.notes == lines{"seat ids are BLOCK-ROW-SEAT: the column seat alone is not unique "
                                 "('1' on lines 2 and 6)"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_seat_column_that_is_unique_gives_the_ids) {
  const auto made = read_good("seat,row,block,category\nA 1,A,Hall,all\nA-2,A,Hall,all\nB-1,B,Hall,"
                              "all\n",
                              {{"all", 5}});
  BOOST_TEST(ids_of(made.plan.blocks[0].rows[0]) == (lines{"A-1", "A-2"}));
  BOOST_TEST(ids_of(made.plan.blocks[0].rows[1]) == lines{"B-1"});
  BOOST_TEST(!made.plan.blocks[0].rows[0].seats[0].at);
  BOOST_TEST(made.notes == lines{});
}

BOOST_AUTO_TEST_CASE(rows_may_be_scattered_and_names_may_repeat_in_other_blocks) {
  const auto made =
      read_good("block,row,seat,category\nL,A,1,c\nR,A,2,c\nL,B,3,c\nL,A,4,c\n", {{"c", 5}});
  BOOST_TEST_REQUIRE(made.plan.blocks.size() == 2U);
  BOOST_TEST_REQUIRE(made.plan.blocks[0].rows.size() == 2U);
  BOOST_TEST(ids_of(made.plan.blocks[0].rows[0]) == (lines{"1", "4"}));
}

BOOST_AUTO_TEST_CASE(every_fault_is_told_with_its_line_and_column) {
  const std::string head = "block,row,seat,category,x,y,accessible\n";
  const price_list price{{"c", 1}};
  const broken cases[] = {
      {"an empty file", "", {"the file is empty: expected a header with block,row,seat,category"}},
      {"a header alone", head, {"there are no seats"}},
      {"the header",
       "block,Row,seat,seat,colour\nA,1,1,1,red\n",
       {"line 1, column seat: stands twice", "line 1: 'colour' is not a known column",
        "line 1, column category: is missing in the header"}},
      {"semicolons",
       "block;row;seat;category\nA;1;1;c\n",
       {"line 1: 'block;row;seat;category' is not a known column",
        "line 1: the columns are separated by ';': expected ','",
        "line 1, column block: is missing in the header",
        "line 1, column row: is missing in the header",
        "line 1, column seat: is missing in the header",
        "line 1, column category: is missing in the header"}},
      {"lines",
       head + "A,1,1,c,0,0,\nA,1,2,c\n\"A\"x,1,3,c,,,\nA,1,a\"b,c,,,\nA,1,\xFF,c,,,\n\n\"A,1,5,c\n",
       {"line 3: expected 7 columns, got 4",
        "line 4: something stands behind the closing quote of a cell",
        "line 5: a quote within a cell: quote the whole cell and double the quotes in it",
        "line 6: is not UTF-8", "line 8: a quote is never closed"},
       price},
      {"cells",
       head + "A,1,1,,0,0,\n,1,2,c,nan,inf,maybe\nA,,3,c,1,,yes\nA,1,,c,1e7,0,\nA,1,4,c,\"1,5\",2x,"
              "\n",
       {"line 2, column category: expected a category",
        "line 3, column x: expected a number such as 12.5, got 'nan'",
        "line 3, column y: expected a number such as 12.5, got 'inf'",
        "line 3, column accessible: expected true or false, yes or no, 1 or 0, got 'maybe'",
        "line 3, column block: expected a text that is not empty",
        "line 4, column y: is missing: x and y go together",
        "line 4, column row: expected a text that is not empty",
        "line 5, column seat: expected a text that is not empty",
        "line 5, column x: expected coordinates within ±1,000,000",
        "line 6, column x: expected a number such as 12.5, got '1,5'",
        "line 6, column y: expected a number such as 12.5, got '2x'"},
       price},
      {"ids",
       "block,row,seat,category\nA 1,1,1,c\nA-1,1,2,c\nB,Row 1,1,c\nB,Row-1,2,c\nB,Row 1,1,c\n"
       "B-Row,1,1,c\n",
       {"line 3, column block: 'A-1' becomes the id 'A-1', as does 'A 1' at line 2, column block",
        "line 5, column row: 'Row-1' becomes the id 'Row-1', as does 'Row 1' in the same block",
        "line 6, column seat: 'B-Row 1-1' stands twice, first at line 4, column seat",
        "line 7, column seat: 'B-Row-1-1' becomes the id 'B-Row-1-1', as does 'B-Row 1-1' at line "
        "4, column seat"},
       price},
      {"prices",
       "block,row,seat,category\nA,1,1,VIP\nA,1,2,c\nA,1,3,Stalls\n",
       {"--price Vip=1: there is no such category; the file has 'VIP', 'c', 'Stalls'",
        "line 2, column category: category 'VIP' has no price: give --price 'VIP=AMOUNT' in minor "
        "units",
        "line 4, column category: category 'Stalls' has no price: give --price 'Stalls=AMOUNT' in "
        "minor units"},
       {{"c", 1}, {"Vip", 1}}},
  };
  for (const auto& one : cases)
    check(one);
}

BOOST_AUTO_TEST_SUITE_END()
