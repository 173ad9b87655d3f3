#pragma once

#include "actors/shows/command.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Who has which id in a plan that is made of a file.
namespace usher::plans {

/// So many faults of one file are noted; a file is not read for more.
inline constexpr std::size_t faults_kept_max = 100'000;

/// What is said of a name that is missing, empty or no text.
inline constexpr const char* expected_text = "expected a text that is not empty";

void note_fault(std::vector<shows::fault>& faults, std::string place, std::string what);

/// A label that is not its id as it stands.
struct mapping {
  enum class kind { category, block, row, seat };
  kind of = kind::seat;
  std::string label;
  std::string id;
  bool operator==(const mapping&) const = default;
};

class id_book {
public:
  explicit id_book(std::vector<shows::fault>& faults) : faults_{faults} {}

  /// Gives the id to the label, alone among those of its kind. It is a fault if the id is none, if
  /// the label stands twice, or if two labels become the same id.
  void claim(mapping::kind of, const std::string& label, const std::string& id,
             const std::string& place);

  /// The same, but not alone: for rows.
  void share(mapping::kind of, const std::string& label, const std::string& id,
             const std::string& place);

  [[nodiscard]] std::vector<mapping> take_mapped() { return std::move(mapped_); }

private:
  struct owner {
    std::string label;
    std::string place;
  };

  bool check(const std::string& label, const std::string& id, const std::string& place);

  std::vector<shows::fault>& faults_;
  std::array<std::unordered_map<std::string, owner>, 4> owners_; ///< by kind
  std::vector<mapping> mapped_;
};

} // namespace usher::plans
