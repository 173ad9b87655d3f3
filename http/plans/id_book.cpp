#include "http/plans/id_book.hpp"

#include "actors/shows/rules.hpp"
#include "http/plans/naming.hpp"

namespace usher::plans {

void note_fault(std::vector<shows::fault>& faults, std::string place, std::string what) {
  if (faults.size() < faults_kept_max)
    faults.push_back({std::move(place), std::move(what)});
}

void id_book::claim(mapping::kind of, const std::string& label, const std::string& id,
                    const std::string& place) {
  if (!check(label, id, place))
    return;
  const auto [found, is_new] =
      owners_[static_cast<std::size_t>(of)].try_emplace(id, owner{label, place});
  const auto& first = found->second;
  if (is_new && id != label)
    mapped_.push_back({of, label, id});
  else if (!is_new && first.label == label)
    note_fault(faults_, place, in_quotes(label) + " stands twice, first at " + first.place);
  else if (!is_new)
    note_fault(faults_, place,
               in_quotes(label) + " becomes the id " + in_quotes(id) + ", as does " +
                   in_quotes(first.label) + " at " + first.place);
}

void id_book::share(mapping::kind of, const std::string& label, const std::string& id,
                    const std::string& place) {
  if (check(label, id, place) && id != label)
    mapped_.push_back({of, label, id});
}

bool id_book::check(const std::string& label, const std::string& id, const std::string& place) {
  if (label.empty())
    note_fault(faults_, place, expected_text);
  else if (id.empty())
    note_fault(faults_, place, in_quotes(label) + " has no Latin letter or digit to make an id of");
  else if (!shows::is_id(id))
    note_fault(faults_, place,
               in_quotes(label) + " makes no id: expected at most " +
                   std::to_string(shows::id_length_max) +
                   " letters, digits, '-', '_' or '.', not starting with '.'");
  else
    return true;
  return false;
}

} // namespace usher::plans
