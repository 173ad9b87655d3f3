#include "http/plans/import_plan.hpp"

#include "actors/shows/rules.hpp"
#include "http/json/depth.hpp"
#include "http/plans/formats.hpp"
#include "http/plans/naming.hpp"
#include "http/plans/plan_json.hpp"

namespace usher::plans {

namespace {

/// The file as JSON; nothing, with a fault, if it is none.
std::optional<json> parse(std::string_view text, std::vector<shows::fault>& faults) {
  if (http::nests_deeper_than(json_depth_max, text)) {
    note_fault(faults, "", "nests deeper than " + std::to_string(json_depth_max) + " levels");
    return std::nullopt;
  }
  try {
    auto made = json::parse(text);
    if (made.is_object())
      return made;
    note_fault(faults, "", "expected a JSON object");
  } catch (const json::exception& trouble) {
    const std::string_view what{trouble.what()}; // "[json.exception.parse_error.101] parse error …"
    note_fault(faults, "", "is not JSON: " + std::string{what.substr(what.find("] ") + 2)});
  }
  return std::nullopt;
}

bool is_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  const auto front = trimmed(text).substr(0, 1);
  return front == "{" || front == "[";
}

format format_of(const json& document) {
  if (document.contains("subChart") || document.contains("subChartFloors"))
    return format::seatsio;
  if (document.contains("zones"))
    return format::pretix;
  return document.contains("blocks") ? format::usher : format::automatic;
}

/// shows::faults_of with places as the plan's own file has them.
std::vector<shows::fault> rule_faults(const shows::plan& what) {
  shows::command::put asked;
  asked.id = "any";
  asked.plan = what;
  auto faults = shows::faults_of(asked);
  for (auto& each : faults)
    each.field = each.field == "plan" ? "" : each.field.substr(each.field.find('.') + 1);
  return faults;
}

void read_own(const json& document, const price_list& prices, imported& into) {
  http::fields from{document, into.faults, {}, faults_kept_max};
  into.plan = read_plan(from);
  std::vector<std::string> ids;
  for (const auto& each : into.plan.categories)
    ids.push_back(each.id);
  set_prices(into.plan.categories, ids, prices, into.faults);
  // Whatever is wrong in form would be told twice.
  if (into.faults.empty())
    into.faults = rule_faults(into.plan);
}

template <class Read>
void read_foreign(const vocabulary& words, const price_list& prices, imported& into, Read read) {
  draft drafted{words, into.faults};
  into.plan.focal_point = read(drafted).focal_point;
  const auto focal_point = into.plan.focal_point;
  into.plan = drafted.finish(prices);
  into.plan.focal_point = focal_point;
  into.mapped = drafted.take_mapped();
  into.notes = drafted.take_notes();
}

void read_document(const json& document, const price_list& prices, imported& into) {
  switch (into.as) {
  case format::usher:
    return read_own(document, prices, into);
  case format::pretix:
    return read_foreign(pretix_words(), prices, into, [&](draft& drafted) {
      return read_pretix(document, drafted, into.faults);
    });
  case format::seatsio:
    return read_foreign(seatsio_words(), prices, into, [&](draft& drafted) {
      return read_seatsio(document, drafted, into.faults);
    });
  default:
    return note_fault(into.faults, "",
                      "is not a plan that is known: expected a member blocks (usher), zones "
                      "(pretix) or subChart (seats.io)");
  }
}

} // namespace

std::string_view to_string(format which) {
  switch (which) {
  case format::automatic:
    return "auto";
  case format::usher:
    return "usher";
  case format::pretix:
    return "pretix";
  case format::seatsio:
    return "seatsio";
  case format::csv:
    return "csv";
  }
  return "?";
}

std::optional<format> format_named(std::string_view name) {
  using enum format;
  for (const auto each : {automatic, usher, pretix, seatsio, csv})
    if (to_string(each) == name)
      return each;
  return std::nullopt;
}

imported import_plan(std::string_view text, const import_options& with) {
  imported made;
  made.as = with.as;
  if (made.as == format::automatic && !is_json(text))
    made.as = format::csv;
  if (made.as == format::csv) {
    read_foreign(csv_words(), with.prices, made,
                 [&](draft& drafted) { return read_csv(text, drafted); });
  } else if (const auto document = parse(text, made.faults)) {
    if (made.as == format::automatic)
      made.as = format_of(*document);
    read_document(*document, with.prices, made);
  }
  if (with.focal_point)
    made.plan.focal_point = with.focal_point;
  if (with.focal_point && !is_sane(*with.focal_point))
    note_fault(made.faults, "--focal-point", "expected coordinates within ±1,000,000");
  // Nothing is left to find: but what the server would refuse is not called good here.
  if (made.faults.empty() && made.as != format::usher)
    for (auto& each : rule_faults(made.plan))
      note_fault(made.faults, "in the plan made of it: " + each.field, std::move(each.what));
  return made;
}

} // namespace usher::plans
