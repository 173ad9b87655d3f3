#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Comma-separated values as in RFC 4180, one record at a time. A line ends with CRLF, LF or CR.
namespace usher::plans {

class csv_reader {
public:
  struct record {
    std::size_t line = 0; ///< where it begins, from 1
    std::vector<std::string> cells;
    std::string fault; ///< what is wrong with its quotes; empty: nothing
  };

  /// A byte order mark at the front is skipped. The bytes outlive this.
  explicit csv_reader(std::string_view text);

  /// False at the end. Empty lines are passed over.
  bool next(record& into);

private:
  void read_record(record& into);
  void read_cell(record& into);
  void read_quoted(record& into);
  [[nodiscard]] bool at_end_of_line() const;
  void skip_end_of_line();

  std::string_view left_;
  std::size_t line_ = 1;
};

} // namespace usher::plans
