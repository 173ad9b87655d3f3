#include "http/plans/csv.hpp"

#include <algorithm>

namespace usher::plans {

csv_reader::csv_reader(std::string_view text) : left_{text} {
  if (left_.starts_with("\xEF\xBB\xBF"))
    left_.remove_prefix(3);
}

bool csv_reader::next(record& into) {
  while (!left_.empty() && at_end_of_line())
    skip_end_of_line();
  if (left_.empty())
    return false;
  into = {line_, {}, {}};
  read_record(into);
  return true;
}

void csv_reader::read_record(record& into) {
  while (true) {
    read_cell(into);
    if (left_.empty())
      return;
    if (left_.front() != ',')
      return skip_end_of_line();
    left_.remove_prefix(1);
  }
}

/// Up to the comma or the end of the line behind the cell.
void csv_reader::read_cell(record& into) {
  into.cells.emplace_back();
  const bool is_quoted = !left_.empty() && left_.front() == '"';
  if (is_quoted)
    read_quoted(into);
  const auto rest = left_.substr(0, left_.find_first_of(",\r\n"));
  if (is_quoted && rest.find_first_not_of(" \t") != std::string_view::npos)
    into.fault = "something stands behind the closing quote of a cell";
  else if (rest.find('"') != std::string_view::npos)
    into.fault = "a quote within a cell: quote the whole cell and double the quotes in it";
  into.cells.back() += rest;
  left_.remove_prefix(rest.size());
}

void csv_reader::read_quoted(record& into) {
  left_.remove_prefix(1);
  auto& cell = into.cells.back();
  while (true) {
    const auto quote = left_.find('"');
    const auto inside = left_.substr(0, quote);
    line_ += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
    cell += inside;
    left_.remove_prefix(std::min(inside.size() + 1, left_.size()));
    if (quote == std::string_view::npos) {
      into.fault = "a quote is never closed";
      return;
    }
    if (left_.empty() || left_.front() != '"')
      return;
    cell += '"';
    left_.remove_prefix(1);
  }
}

bool csv_reader::at_end_of_line() const {
  return left_.front() == '\n' || left_.front() == '\r';
}

void csv_reader::skip_end_of_line() {
  left_.remove_prefix(left_.starts_with("\r\n") ? 2 : 1);
  ++line_;
}

} // namespace usher::plans
