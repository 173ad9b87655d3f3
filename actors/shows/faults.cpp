#include "actors/shows/rules.hpp"

#include "actors/basics/money.hpp"
#include "actors/basics/rfc3339.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace usher::shows {

namespace {

constexpr double coordinate_max = 1e6;
constexpr std::int64_t price_max_minor = 1'000'000'000'000;

/// Collects faults up to the listed limit.
class findings {
public:
  void add(std::string field, std::string what) {
    if (list_.size() < faults_listed_max)
      list_.push_back({std::move(field), std::move(what)});
  }
  std::vector<fault> take() { return std::move(list_); }

private:
  std::vector<fault> list_;
};

std::string at(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

bool is_sane(const std::optional<point>& where) {
  return !where || (std::isfinite(where->x) && std::isfinite(where->y) &&
                    std::abs(where->x) <= coordinate_max && std::abs(where->y) <= coordinate_max);
}

void check_id(findings& found, const std::string& field, const std::string& id,
              std::unordered_set<std::string>& seen) {
  if (!is_id(id))
    found.add(field, "expected 1 to " + std::to_string(id_length_max) +
                         " letters, digits, '-', '_' or '.', not starting with '.'");
  else if (!seen.insert(id).second)
    found.add(field, "'" + id + "' stands twice");
}

std::unordered_set<std::string> check_categories(findings& found, const plan& what) {
  std::unordered_set<std::string> ids;
  if (what.categories.size() > categories_max)
    found.add("plan.categories", "expected at most " + std::to_string(categories_max));
  for (std::size_t i = 0; i < what.categories.size(); ++i) {
    const auto path = at("plan.categories", i);
    check_id(found, path + ".id", what.categories[i].id, ids);
    if (what.categories[i].name.size() > title_length_max)
      found.add(path + ".name",
                "expected at most " + std::to_string(title_length_max) + " bytes of text");
    if (what.categories[i].price_minor < 0 || what.categories[i].price_minor > price_max_minor)
      found.add(path + ".price",
                "expected an amount in minor units from 0 to " + std::to_string(price_max_minor));
  }
  return ids;
}

/// Checks the rows of one block; gives the number of their seats.
std::size_t check_rows(findings& found, const std::string& path, const block& which,
                       std::unordered_set<std::string>& seat_ids) {
  std::size_t seats = 0;
  for (std::size_t r = 0; r < which.rows.size(); ++r) {
    const auto row_path = at(path + ".rows", r);
    if (!is_id(which.rows[r].id))
      found.add(row_path + ".id", "expected an id, as of seats");
    if (which.rows[r].seats.empty())
      found.add(row_path, "expected at least one seat");
    for (std::size_t s = 0; s < which.rows[r].seats.size(); ++s, ++seats) {
      const auto seat_path = at(row_path + ".seats", s);
      check_id(found, seat_path + ".id", which.rows[r].seats[s].id, seat_ids);
      if (!is_sane(which.rows[r].seats[s].at))
        found.add(seat_path, "expected finite coordinates within ±1,000,000");
    }
  }
  return seats;
}

/// Rows or an area; gives the number of seats.
std::size_t check_seats(findings& found, const std::string& path, const block& which,
                        std::unordered_set<std::string>& seat_ids) {
  if (which.rows.empty() && which.capacity == 0)
    found.add(path + ".rows", "expected at least one row, or a capacity");
  if (!which.rows.empty() && which.capacity != 0)
    found.add(path + ".capacity", "expected either rows or a capacity");
  const auto seats = check_rows(found, path, which, seat_ids) + which.capacity;
  if (seats > seats_per_block_max)
    found.add(path, "expected at most " + std::to_string(seats_per_block_max) + " seats, got " +
                        std::to_string(seats));
  return seats;
}

void check_plan(findings& found, const plan& what) {
  if (!is_sane(what.focal_point))
    found.add("plan.focalPoint", "expected finite coordinates within ±1,000,000");
  const auto categories = check_categories(found, what);
  std::unordered_set<std::string> block_ids;
  std::unordered_set<std::string> seat_ids;
  std::size_t seats = 0;
  if (what.blocks.empty())
    found.add("plan.blocks", "expected at least one block");
  for (std::size_t i = 0; i < what.blocks.size(); ++i) {
    const auto path = at("plan.blocks", i);
    check_id(found, path + ".id", what.blocks[i].id, block_ids);
    if (!categories.contains(what.blocks[i].category))
      found.add(path + ".category",
                "'" + what.blocks[i].category + "' is not among plan.categories");
    seats += check_seats(found, path, what.blocks[i], seat_ids);
  }
  if (seats > seats_per_show_max)
    found.add("plan", "expected at most " + std::to_string(seats_per_show_max) + " seats, got " +
                          std::to_string(seats));
}

void check_holds(findings& found, const hold_settings& holds) {
  constexpr duration_ms day_ms = 24LL * 60 * 60 * 1000;
  if (holds.ttl_ms < 1000 || holds.ttl_ms > day_ms)
    found.add("holds.ttl", "expected a duration from 1s to 24h");
  if (holds.payment_window_ms < 100 || holds.payment_window_ms >= holds.ttl_ms)
    found.add("holds.paymentWindow", "expected a duration from 100ms, shorter than holds.ttl");
  if (holds.max_life_ms < holds.ttl_ms || holds.max_life_ms > 2 * day_ms)
    found.add("holds.maxLife", "expected a duration from holds.ttl to 48h");
  if (holds.max_seats < 1 || holds.max_seats > 100)
    found.add("holds.maxSeats", "expected a number from 1 to 100");
}

/// Empty, or something a browser may be sent to (never a script).
bool is_address(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\')
      return false;
  return text.empty() || text.starts_with("https://") || text.starts_with("http://") ||
         (text.starts_with('/') && !text.starts_with("//"));
}

} // namespace

bool is_id(std::string_view text) {
  if (text.empty() || text.size() > id_length_max || text.front() == '.')
    return false;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    if (!plain)
      return false;
  }
  return true;
}

std::vector<fault> faults_of(const command::put& asked) {
  findings found;
  if (!is_id(asked.id))
    found.add("show", "expected 1 to 64 letters, digits, '-', '_' or '.', not starting with '.'");
  if (asked.title && (asked.title->empty() || asked.title->size() > title_length_max))
    found.add("title", "expected 1 to " + std::to_string(title_length_max) + " bytes of text");
  if (asked.currency && !minor_digits(*asked.currency))
    found.add("currency", "'" + *asked.currency + "' is not an ISO 4217 code");
  if (asked.admitted_url && !is_address(*asked.admitted_url))
    found.add("admittedUrl", "expected an http or https address, or a path that begins with '/'");
  if (asked.starts_at && !asked.starts_at->empty() && !read_rfc3339(*asked.starts_at))
    found.add("startsAt", "expected a time as in RFC 3339, e.g. 2026-12-31T20:00:00-03:00");
  if (asked.plan)
    check_plan(found, *asked.plan);
  if (asked.holds)
    check_holds(found, *asked.holds);
  for (const auto& [category, price] : asked.prices)
    if (price < 0 || price > price_max_minor)
      found.add(category,
                "expected an amount in minor units from 0 to " + std::to_string(price_max_minor));
  return found.take();
}

} // namespace usher::shows
