#include "storage/audit/report.hpp"

#include "storage/audit/names.hpp"
#include "storage/files.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace usher::storage::audit {

namespace {

using json = nlohmann::ordered_json;

std::string chain_text(const digest& chain) {
  return to_hex({reinterpret_cast<const char*>(chain.data()), chain.size()});
}

std::vector<std::string> damage_of(const verdict& what) {
  auto all = what.damage;
  if (what.keys)
    all.insert(all.end(), what.keys->listed.begin(), what.keys->listed.end());
  return all;
}

json keys_of(const verdict& what) {
  if (!what.keys)
    return nullptr;
  return {{"files", what.keys->files},
          {"sound", what.keys->sound},
          {"destroyed", what.keys->destroyed},
          {"damaged", what.keys->damaged}};
}

void write_beside(std::ostream& out, const verdict& what) {
  const auto listed = damage_of(what);
  for (const auto& each : listed)
    out << "damage: " << each << "\n";
  if (what.damages() > listed.size())
    out << "damage: and " << what.damages() - listed.size() << " more\n";
  if (what.keys)
    out << "keys of personal data: " << what.keys->sound << " sound, " << what.keys->destroyed
        << " destroyed, " << what.keys->damaged << " damaged, in " << what.keys->files
        << " files\n";
  if (!what.keys_not_checked.empty())
    out << "keys of personal data were not checked: " << what.keys_not_checked << "\n";
}

json as_object(const verdict& what, const findings& found) {
  auto listed = json::array();
  for (const auto& one : found.listed())
    listed.push_back({{"position", one.position},
                      {"time", time_text(one.at)},
                      {"subject", one.subject},
                      {"name", to_string(one.what)},
                      {"sentence", one.sentence}});
  auto counts = json::object();
  for (const auto& [fault, count] : found.by_fault())
    counts[std::string{to_string(fault)}] = count;
  auto money = json::array();
  for (const auto& [currency, sum] : what.money)
    money.push_back({{"currency", currency},
                     {"inMinor", sum.in},
                     {"refundedMinor", sum.refunded},
                     {"owedMinor", sum.owed},
                     {"soldMinor", sum.sold}});
  return {{"clean", what.exit_code(found) == 0},
          {"records", what.read},
          {"head",
           {{"position", what.head.position},
            {"batches", what.head.batches},
            {"chain", chain_text(what.head.chain)}}},
          {"broken", what.broken ? json(what.broken->what) : json(nullptr)},
          {"violationCount", found.total()},
          {"counts", std::move(counts)},
          {"violations", std::move(listed)},
          {"damageCount", what.damages()},
          {"damage", damage_of(what)},
          {"customerKeys", keys_of(what)},
          {"customerKeysNotChecked",
           what.keys_not_checked.empty() ? json(nullptr) : json(what.keys_not_checked)},
          {"money", std::move(money)}};
}

} // namespace

void write_verdict(std::ostream& out, const verdict& what, const findings& found, bool as_json) {
  if (as_json) {
    // A subject or a name in a broken event need not be UTF-8.
    out << as_object(what, found).dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    return;
  }
  const auto listed = found.listed();
  for (const auto& one : listed)
    out << one.position << "  " << time_text(one.at) << "  " << one.subject << "  "
        << to_string(one.what) << "\n    " << one.sentence << "\n";
  if (found.total() > listed.size())
    out << "and " << found.total() - listed.size() << " more\n";
  if (found.total() > 0) {
    out << "\n" << found.total() << " violations:\n";
    for (const auto& [fault, count] : found.by_fault())
      out << "  " << to_string(fault) << "  " << count << "\n";
  }
  if (what.broken)
    out << "cannot read further: " << what.broken->what << "\n";
  out << what.read << " records read, ";
  if (!what.broken)
    out << "chain sound up to position " << what.head.position << " in " << what.head.batches
        << " batches, head " << chain_text(what.head.chain) << "\n";
  else
    out << "the log says it ends at position " << what.head.position << "\n";
  for (const auto& [currency, sum] : what.money)
    out << "money " << currency << ": " << sum.in << " in, " << sum.refunded << " refunded, "
        << sum.owed << " to be refunded, " << sum.sold << " sold for (minor units)\n";
  write_beside(out, what);
  if (what.exit_code(found) == 0)
    out << "clean\n";
}

} // namespace usher::storage::audit
