#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

// Files of the repository, read by a test.
namespace usher::test {

/// The whole file; empty if there is none. `name` is relative to the repository.
inline std::string text_of(const std::filesystem::path& name) {
  std::ifstream file{std::filesystem::path{USHER_SOURCE_DIR} / name};
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from{text};
  for (std::string line; std::getline(from, line);)
    lines.push_back(line);
  return lines;
}

/// The cells of a Markdown table's row, trimmed, without the quotes of code.
inline std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream from{row};
  for (std::string cell; std::getline(from, cell, '|');) {
    std::erase(cell, '`');
    const auto first = cell.find_first_not_of(' ');
    const auto last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  if (!cells.empty())
    cells.erase(cells.begin()); // what stands before the first bar
  return cells;
}

} // namespace usher::test
