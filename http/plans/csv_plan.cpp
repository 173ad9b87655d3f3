#include "http/plans/csv.hpp"
#include "http/plans/formats.hpp"
#include "http/plans/naming.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>

namespace usher::plans {

namespace {

enum column : std::size_t { block, row, seat, category, x, y, accessible, columns };
constexpr std::array<std::string_view, columns> names{"block", "row", "seat",      "category",
                                                      "x",     "y",   "accessible"};
constexpr std::size_t needed = 4; ///< the first columns; the others may be left out

std::string lower(std::string_view text) {
  std::string made{text};
  for (auto& c : made)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return made;
}

std::string line_place(std::size_t line) {
  return "line " + std::to_string(line);
}
std::string cell_place(std::size_t line, std::string_view name) {
  return line_place(line) + ", column " + std::string{name};
}

/// One seat as it stands in the file; a column that the file does not have is empty.
struct seat_line {
  std::size_t number = 0;
  std::array<std::string, columns> cells;
};

class table_reader {
public:
  table_reader(std::string_view text, draft& into) : lines_{text}, into_{into} {}

  void read() {
    if (!read_header())
      return;
    csv_reader::record next;
    std::size_t count = 0;
    while (lines_.next(next))
      if (++count <= shows::seats_per_show_max)
        take(next);
    if (count > shows::seats_per_show_max)
      into_.add_fault("", "expected at most " + std::to_string(shows::seats_per_show_max) +
                              " seats, got " + std::to_string(count) + " in all");
    find_repeated_seat();
    for (const auto& each : seats_)
      add(each);
  }

private:
  bool read_header() {
    csv_reader::record header;
    if (!lines_.next(header)) {
      into_.add_fault("", "the file is empty: expected a header with block,row,seat,category");
      return false;
    }
    width_ = header.cells.size();
    for (std::size_t i = 0; i < width_; ++i)
      place_column(header, i);
    if (width_ == 1 && header.cells[0].find(';') != std::string::npos)
      into_.add_fault(line_place(header.line), "the columns are separated by ';': expected ','");
    bool complete = true;
    for (std::size_t i = 0; i < needed; ++i)
      if (!where_[i]) {
        into_.add_fault(cell_place(header.line, names[i]), "is missing in the header");
        complete = false;
      }
    return complete;
  }

  void place_column(const csv_reader::record& header, std::size_t index) {
    const auto name = lower(trimmed(header.cells[index]));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return into_.add_fault(line_place(header.line), in_quotes(name) + " is not a known column");
    auto& place = where_[static_cast<std::size_t>(found - names.begin())];
    if (place)
      into_.add_fault(cell_place(header.line, name), "stands twice");
    place = index;
  }

  void take(const csv_reader::record& from) {
    const auto place = line_place(from.line);
    const bool is_text = std::all_of(from.cells.begin(), from.cells.end(),
                                     [](const std::string& cell) { return is_utf8(cell); });
    if (!from.fault.empty())
      return into_.add_fault(place, from.fault);
    if (from.cells.size() != width_)
      return into_.add_fault(place, "expected " + std::to_string(width_) + " columns, got " +
                                        std::to_string(from.cells.size()));
    if (!is_text)
      return into_.add_fault(place, "is not UTF-8");
    seat_line made{from.line, {}};
    for (std::size_t i = 0; i < columns; ++i)
      if (where_[i])
        made.cells[i] = trimmed(from.cells[*where_[i]]);
    seats_.push_back(std::move(made));
  }

  /// Whether the seat column names a seat by itself.
  void find_repeated_seat() {
    std::unordered_map<std::string, std::size_t> lines;
    for (const auto& each : seats_) {
      const auto [first, is_new] = lines.try_emplace(id_of(each.cells[seat]), each.number);
      if (is_new || repeated_)
        continue;
      repeated_ = true;
      into_.add_note("seat ids are BLOCK-ROW-SEAT: the column seat alone is not unique (" +
                     in_quotes(each.cells[seat]) + " on lines " + std::to_string(first->second) +
                     " and " + std::to_string(each.number) + ")");
    }
  }

  void add(const seat_line& from) {
    const auto& cells = from.cells;
    draft::named_seat made{.name = {cells[seat]}, .category = category_of(from)};
    if (repeated_)
      made.name = {cells[block], cells[row], cells[seat]};
    made.at = point_of(from);
    made.accessible = accessible_of(from);
    made.place = line_place(from.number);
    into_.add_seat(row_of(from), std::move(made));
  }

  draft::handle row_of(const seat_line& from) {
    const auto& label = from.cells[block];
    auto found = blocks_.find(label);
    if (found == blocks_.end())
      found = blocks_.try_emplace(label, into_.add_block(label, line_place(from.number))).first;
    const auto key = std::pair{found->second, from.cells[row]};
    if (const auto known = rows_.find(key); known != rows_.end())
      return known->second;
    return rows_[key] = into_.add_row(found->second, from.cells[row], line_place(from.number));
  }

  std::optional<draft::handle> category_of(const seat_line& from) {
    const auto& name = from.cells[category];
    const auto place = cell_place(from.number, names[category]);
    if (name.empty()) {
      into_.add_fault(place, "expected a category");
      return std::nullopt;
    }
    const auto found = into_.find_category(name);
    return found ? found : into_.add_category(name, name, place);
  }

  std::optional<double> number_of(const seat_line& from, column which) {
    const auto& text = from.cells[which];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(value))
      return value;
    if (!text.empty())
      into_.add_fault(cell_place(from.number, names[which]),
                      "expected a number such as 12.5, got " + in_quotes(text));
    return std::nullopt;
  }

  std::optional<shows::point> point_of(const seat_line& from) {
    const auto left = number_of(from, x);
    const auto top = number_of(from, y);
    if (from.cells[x].empty() != from.cells[y].empty())
      into_.add_fault(cell_place(from.number, from.cells[x].empty() ? "x" : "y"),
                      "is missing: x and y go together");
    return left && top ? std::optional{shows::point{*left, *top}} : std::nullopt;
  }

  bool accessible_of(const seat_line& from) {
    const auto text = lower(from.cells[accessible]);
    if (text == "true" || text == "yes" || text == "1")
      return true;
    if (!text.empty() && text != "false" && text != "no" && text != "0")
      into_.add_fault(cell_place(from.number, names[accessible]),
                      "expected true or false, yes or no, 1 or 0, got " + in_quotes(text));
    return false;
  }

  csv_reader lines_;
  draft& into_;
  std::size_t width_ = 0; ///< columns of the header
  std::array<std::optional<std::size_t>, columns> where_;
  std::vector<seat_line> seats_;
  bool repeated_ = false;
  std::unordered_map<std::string, draft::handle> blocks_;
  std::map<std::pair<draft::handle, std::string>, draft::handle> rows_;
};

} // namespace

const vocabulary& csv_words() {
  static const vocabulary words{", column ", "block", "row", "seat", "x"};
  return words;
}

surroundings read_csv(std::string_view text, draft& into) {
  table_reader{text, into}.read();
  return {};
}

} // namespace usher::plans
