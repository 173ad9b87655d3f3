#include "http/plans/draft.hpp"

#include "http/plans/naming.hpp"

namespace usher::plans {

namespace {

std::string listed(const std::vector<shows::category>& categories) {
  std::string names;
  for (const auto& each : categories)
    names += (names.empty() ? "" : ", ") + in_quotes(each.name);
  return names.empty() ? "none" : names;
}

/// The categories of that name or key; if there are none, those of that id.
std::vector<std::size_t> named(const std::vector<shows::category>& categories,
                               const std::vector<std::string>& keys, const std::string& name) {
  std::vector<std::size_t> by_name;
  std::vector<std::size_t> by_id;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    if (categories[i].name == name || keys[i] == name)
      by_name.push_back(i);
    if (categories[i].id == name)
      by_id.push_back(i);
  }
  return by_name.empty() ? by_id : by_name;
}

} // namespace

std::vector<bool> set_prices(std::vector<shows::category>& categories,
                             const std::vector<std::string>& keys, const price_list& prices,
                             std::vector<shows::fault>& faults) {
  std::vector<bool> priced(categories.size(), false);
  for (const auto& [name, price_minor] : prices) {
    const auto place = "--price " + name + "=" + std::to_string(price_minor);
    const auto meant = named(categories, keys, name);
    if (meant.empty())
      note_fault(faults, place, "there is no such category; the file has " + listed(categories));
    for (const auto i : meant) {
      if (priced[i])
        note_fault(faults, place, in_quotes(categories[i].name) + " has a price already");
      priced[i] = true;
      categories[i].price_minor = price_minor;
    }
  }
  return priced;
}

} // namespace usher::plans
