#pragma once

#include "http/plans/id_book.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// Between a foreign format and our plan: makes ids of labels and blocks of one category each.
namespace usher::plans {

/// Minor units, by the name, key or id of a category.
using price_list = std::map<std::string, std::int64_t>;

/// How a format calls the members that faults are about, and what stands between the place of a
/// thing and its member's name.
struct vocabulary {
  std::string joint;
  std::string block;
  std::string row;
  std::string seat;
  std::string at; ///< coordinates
};

/// Within what a plan may have; no NaN, no infinity.
[[nodiscard]] bool is_sane(const shows::point& at);

/// Takes what a file says, in the file's order. Each thing comes with its place in the file, for
/// faults. Handles are numbers from 0 in the order of adding.
class draft {
public:
  using handle = std::size_t;

  struct named_seat {
    /// What the seat is called in the whole show: its own label, and before that those of its block
    /// and row, as they were added, if the format has it so.
    std::vector<std::string_view> name;
    std::optional<handle> category; ///< none: a fault about it was noted
    std::optional<shows::point> at{};
    bool accessible = false;
    std::string place{};
  };

  /// `faults` outlives this.
  draft(vocabulary words, std::vector<shows::fault>& faults)
      : words_{std::move(words)}, faults_{faults}, ids_{faults} {}

  /// `key` is what seats call it by; `place` is that of the key.
  handle add_category(std::string key, std::string name, std::string place);
  [[nodiscard]] std::optional<handle> find_category(const std::string& key) const;

  /// One without rows is left out, with a note.
  handle add_block(const std::string& label, std::string place);
  /// Rows of the same label may stand in one block; different labels of the same id may not.
  handle add_row(handle block, const std::string& label, std::string place);
  void add_seat(handle row, named_seat what);
  void add_area(const std::string& label, std::optional<handle> category, std::uint32_t capacity,
                std::string place);

  void add_fault(std::string place, std::string what);
  /// Something that is no fault, but worth knowing before it is sold.
  void add_note(std::string what) { notes_.push_back(std::move(what)); }

  /// More seats than a show may have: further ones are only counted.
  [[nodiscard]] bool is_full() const { return seats_ > shows::seats_per_show_max; }

  /// The plan. Prices that are missing or name nothing, limits and empty rows are noted as faults.
  [[nodiscard]] shows::plan finish(const price_list& prices);

  [[nodiscard]] std::vector<mapping> take_mapped() { return ids_.take_mapped(); }
  [[nodiscard]] std::vector<std::string> take_notes() { return std::move(notes_); }

private:
  struct drafted_category {
    shows::category made;
    std::string key;
    std::string place{};
    bool used = false;
  };
  struct drafted_seat {
    shows::planned_seat made;
    std::optional<handle> category;
  };
  struct drafted_row {
    std::string id;
    std::string place{};
    std::vector<drafted_seat> seats{};
  };
  struct drafted_block {
    std::string label;
    std::string id;
    std::string place{};
    std::vector<handle> rows{};
    std::unordered_map<std::string, std::string> row_labels{}; ///< by id
    std::optional<handle> category{};                          ///< of an area
    std::uint32_t capacity = 0;                                ///< of an area
  };

  [[nodiscard]] std::string claim_seat(const named_seat& what);
  [[nodiscard]] std::string path(const std::string& place, const std::string& member) const {
    return place + words_.joint + member;
  }
  void use(std::optional<handle> category);
  void finish_categories(const price_list& prices, shows::plan& into);
  void finish_block(const drafted_block& which, shows::plan& into);
  [[nodiscard]] std::vector<handle> categories_of(const drafted_block& which);
  [[nodiscard]] shows::block part_of(const drafted_block& which, handle category) const;
  void finish_part(const drafted_block& which, shows::block part, shows::plan& into);

  vocabulary words_;
  std::vector<shows::fault>& faults_;
  id_book ids_;
  std::vector<drafted_category> categories_;
  std::vector<drafted_block> blocks_;
  std::vector<drafted_row> rows_;
  std::unordered_map<std::string, handle> category_keys_;
  std::size_t seats_ = 0; ///< with the places of areas
  std::vector<std::string> notes_;
};

/// Sets the price of each category that the list names by its name or key (`keys` runs beside
/// `categories`) or else by its id, and says which had one. A name that fits none is a fault.
std::vector<bool> set_prices(std::vector<shows::category>& categories,
                             const std::vector<std::string>& keys, const price_list& prices,
                             std::vector<shows::fault>& faults);

} // namespace usher::plans
