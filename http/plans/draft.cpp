#include "http/plans/draft.hpp"

#include "http/plans/naming.hpp"

#include <algorithm>
#include <cmath>

namespace usher::plans {

namespace {

std::string too_many(std::size_t most, std::size_t got) {
  return "expected at most " + std::to_string(most) + " seats, got " + std::to_string(got);
}

} // namespace

bool is_sane(const shows::point& at) {
  constexpr double coordinate_max = 1e6;
  return std::abs(at.x) <= coordinate_max && std::abs(at.y) <= coordinate_max;
}

void draft::add_fault(std::string place, std::string what) {
  note_fault(faults_, std::move(place), std::move(what));
}

draft::handle draft::add_category(std::string key, std::string name, std::string place) {
  const auto [found, is_new] = category_keys_.try_emplace(key, categories_.size());
  if (key.empty())
    add_fault(place, expected_text);
  else if (!is_new)
    add_fault(place,
              in_quotes(key) + " stands twice, first at " + categories_[found->second].place);
  shows::category made{id_of(name), std::move(name), 0};
  categories_.push_back({std::move(made), std::move(key), std::move(place)});
  return categories_.size() - 1;
}

std::optional<draft::handle> draft::find_category(const std::string& key) const {
  const auto found = category_keys_.find(key);
  return found == category_keys_.end() ? std::nullopt : std::optional{found->second};
}

draft::handle draft::add_block(const std::string& label, std::string place) {
  auto id = id_of(label);
  ids_.claim(mapping::kind::block, label, id, path(place, words_.block));
  blocks_.push_back({label, std::move(id), std::move(place)});
  return blocks_.size() - 1;
}

draft::handle draft::add_row(handle block, const std::string& label, std::string place) {
  auto id = id_of(label);
  const auto [found, is_new] = blocks_[block].row_labels.try_emplace(id, label);
  const auto& first = found->second;
  if (is_new)
    ids_.share(mapping::kind::row, label, id, path(place, words_.row));
  else if (label.empty())
    add_fault(path(place, words_.row), expected_text);
  else if (first != label)
    add_fault(path(place, words_.row), in_quotes(label) + " becomes the id " + in_quotes(id) +
                                           ", as does " + in_quotes(first) + " in the same block");
  rows_.push_back({std::move(id), std::move(place)});
  blocks_[block].rows.push_back(rows_.size() - 1);
  return rows_.size() - 1;
}

void draft::add_seat(handle row, named_seat what) {
  ++seats_;
  if (is_full())
    return;
  auto id = claim_seat(what);
  if (what.at && !is_sane(*what.at))
    add_fault(path(what.place, words_.at), "expected coordinates within ±1,000,000");
  use(what.category);
  rows_[row].seats.push_back({{std::move(id), what.at, what.accessible}, what.category});
}

std::string draft::claim_seat(const named_seat& what) {
  const auto own = std::string{what.name.back()};
  auto id = id_of(what.name);
  const auto place = path(what.place, words_.seat);
  if (const auto own_id = id_of(own); own_id.empty())
    ids_.claim(mapping::kind::seat, own, own_id, place);
  else if (!id.empty()) // otherwise the block or the row has no id, which is one fault already
    ids_.claim(mapping::kind::seat, label_of(what.name), id, place);
  return id;
}

void draft::add_area(const std::string& label, std::optional<handle> category,
                     std::uint32_t capacity, std::string place) {
  const auto block = add_block(label, std::move(place));
  seats_ += capacity;
  blocks_[block].category = category;
  blocks_[block].capacity = capacity;
  use(category);
}

void draft::use(std::optional<handle> category) {
  if (category)
    categories_[*category].used = true;
}

shows::plan draft::finish(const price_list& prices) {
  shows::plan made;
  if (is_full()) {
    add_fault("", too_many(shows::seats_per_show_max, seats_) + " in all");
    return made;
  }
  finish_categories(prices, made);
  for (const auto& each : blocks_)
    finish_block(each, made);
  if (seats_ == 0 && faults_.empty())
    add_fault("", "there are no seats");
  return made;
}

void draft::finish_categories(const price_list& prices, shows::plan& into) {
  std::vector<shows::category> all;
  std::vector<std::string> keys;
  for (const auto& each : categories_) {
    all.push_back(each.made);
    keys.push_back(each.key);
  }
  const auto priced = set_prices(all, keys, prices, faults_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& place = categories_[i].place;
    if (!categories_[i].used) {
      add_note("category " + in_quotes(all[i].name) + " has no seats: left out");
      continue;
    }
    ids_.claim(mapping::kind::category, all[i].name, all[i].id, place);
    if (!priced[i])
      add_fault(place, "category " + in_quotes(all[i].name) + " has no price: give --price " +
                           in_quotes(all[i].name + "=AMOUNT") + " in minor units");
    into.categories.push_back(all[i]);
  }
  if (into.categories.size() > shows::categories_max)
    add_fault("", "expected at most " + std::to_string(shows::categories_max) +
                      " categories, got " + std::to_string(into.categories.size()));
}

void draft::finish_block(const drafted_block& which, shows::plan& into) {
  if (which.capacity > 0 && which.category) {
    const auto& category = categories_[*which.category].made.id;
    return finish_part(which, {which.id, category, {}, which.capacity}, into);
  }
  for (const auto row : which.rows)
    if (rows_[row].seats.empty())
      add_fault(rows_[row].place, "expected at least one seat");
  if (which.rows.empty() && which.capacity == 0 && !which.label.empty())
    add_note(in_quotes(which.label) + " has no rows: left out");
  const auto parts = categories_of(which);
  for (const auto category : parts) {
    auto part = part_of(which, category);
    if (parts.size() > 1) {
      part.id += "-" + part.category;
      ids_.claim(mapping::kind::block, which.label + " (" + categories_[category].made.name + ")",
                 part.id, path(which.place, words_.block));
    }
    finish_part(which, std::move(part), into);
  }
}

/// In the order in which they come first.
std::vector<draft::handle> draft::categories_of(const drafted_block& which) {
  std::vector<handle> all;
  for (const auto row : which.rows)
    for (const auto& each : rows_[row].seats)
      if (each.category && std::find(all.begin(), all.end(), *each.category) == all.end())
        all.push_back(*each.category);
  return all;
}

shows::block draft::part_of(const drafted_block& which, handle category) const {
  shows::block made{which.id, categories_[category].made.id, {}};
  for (const auto row : which.rows) {
    shows::row part{rows_[row].id, {}};
    for (const auto& each : rows_[row].seats)
      if (each.category == category)
        part.seats.push_back(each.made);
    if (!part.seats.empty())
      made.rows.push_back(std::move(part));
  }
  return made;
}

void draft::finish_part(const drafted_block& which, shows::block part, shows::plan& into) {
  std::size_t seats = part.capacity;
  for (const auto& row : part.rows)
    seats += row.seats.size();
  if (seats > shows::seats_per_block_max)
    add_fault(which.place,
              too_many(shows::seats_per_block_max, seats) + " in block '" + part.id + "'");
  into.blocks.push_back(std::move(part));
}

} // namespace usher::plans
