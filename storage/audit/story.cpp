#include "storage/audit/story.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/audit/circle.hpp"
#include "storage/audit/describe.hpp"
#include "storage/audit/lists.hpp"
#include "storage/audit/names.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <ostream>
#include <utility>

namespace usher::storage::audit {

namespace {

/// What there is to add to the sentence of an event.
using opener = std::function<std::string(const show_id&, const any_fact&)>;

struct reading {
  bool one_show = true; ///< a thing belongs to one
  reached_fn reached;
};

using named_show = std::variant<std::monostate, show_id, show_number>;
using protagonist_in = std::function<protagonist(const show_id&)>;

/// A circle for each show that may have the thing, and which shows do.
class search {
public:
  search(named_show show, protagonist_in about)
      : show_{std::move(show)}, about_{std::move(about)} {}

  template <class Told>
  void take(const stored_record& next, Told told) {
    const auto where = read_subject(next.subject);
    const auto read = read_event(next);
    const auto* what = std::get_if<any_fact>(&read);
    if (!where || what == nullptr)
      return; // verify reports it
    if (where->of == aggregate::shows)
      note(std::get<shows::any_event>(*what));
    const bool of_a_show = !where->show.empty() || where->of == aggregate::orders;
    if (!of_a_show || !is_wanted(where->show))
      return;
    auto known = circles_.find(where->show);
    if (known == circles_.end())
      known = circles_.emplace(where->show, circle{about_(where->show)}).first;
    const auto number = numbers_[where->show];
    if (auto text = known->second.concerns(*what, number))
      told(where->show, *what, text->empty() ? describe(*what, number) : std::move(*text));
  }

  [[nodiscard]] const circle& in(const show_id& id) const { return circles_.at(id); }

  void begin_again() {
    for (auto& [id, mates] : circles_)
      mates.begin_again();
  }

private:
  void note(const shows::any_event& any) {
    if (const auto* made = std::get_if<shows::event::show_created>(&any))
      numbers_[made->id] = made->number;
  }

  bool is_wanted(const show_id& id) const {
    return std::visit(overloaded{
                          [](std::monostate) { return true; },
                          [&](const show_id& wanted) { return id == wanted; },
                          [&](show_number wanted) {
                            const auto found = numbers_.find(id);
                            return found != numbers_.end() && found->second == wanted;
                          },
                      },
                      show_);
  }

  named_show show_;
  protagonist_in about_;
  std::map<show_id, show_number> numbers_{{show_id{}, cashier_number}}; // whose show has no name
  std::map<show_id, circle> circles_;
};

} // namespace

namespace {

/// Every line about it, by show: the events come twice.
std::variant<std::map<show_id, story>, failure> tell_all(const event_log& log, search& events,
                                                         const opener& open, const reading& how) {
  std::map<show_id, story> told;
  const auto go_through = [&](position_t done, const auto& sink) {
    return log.replay(1, [&](const stored_record& next) {
      events.take(next, sink(next));
      if (how.reached)
        how.reached(done + next.position);
      return true;
    });
  };
  const auto find = [&](const stored_record&) {
    return
        [&](const show_id& show, const any_fact&, const std::string&) { told[show].show = show; };
  };
  const auto tell = [&](const stored_record& next) {
    return [&](const show_id& show, const any_fact& what, std::string sentence) {
      if (open)
        sentence += open(show, what);
      told[show].lines.push_back(
          {next.position, next.at, next.type, next.cause, std::move(sentence)});
    };
  };
  auto fault = go_through(0, find);
  if (!fault && told.empty())
    fault = failure{"the log has no event about it"};
  if (!fault && how.one_show && told.size() > 1) {
    std::string names;
    for (const auto& [show, its] : told)
      names += (names.empty() ? "" : ", ") + (show.empty() ? "the cashier" : show);
    fault = failure{"name the show: " + names + " have one"};
  }
  events.begin_again();
  if (!fault)
    fault = go_through(log.head().position, tell);
  if (fault)
    return std::move(*fault);
  return told;
}

nlohmann::ordered_json events_json(const story& what) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& line : what.lines)
    all.push_back({{"position", line.position},
                   {"time", time_text(line.at)},
                   {"type", line.type},
                   {"what", line.sentence},
                   {"who", line.cause.who},
                   {"request", line.cause.request}});
  return all;
}

void write_json(std::ostream& out, const nlohmann::ordered_json& all) {
  out << all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

void write_lines(std::ostream& out, const story& what) {
  for (const auto& line : what.lines)
    out << line.position << "  " << time_text(line.at) << "  " << line.sentence << "  ("
        << line.cause.who << (line.cause.request.empty() ? "" : ", request " + line.cause.request)
        << ")\n";
}

} // namespace

std::variant<story, failure> tell(const event_log& log, const story_of& about, reached_fn reached) {
  const auto the_same = [&](const show_id&) {
    return std::visit([](const auto& id) { return protagonist{id}; }, about.what);
  };
  search events{about.show, the_same};
  auto told = tell_all(log, events, {}, {true, std::move(reached)});
  if (auto* fault = std::get_if<failure>(&told))
    return std::move(*fault);
  return std::move(std::get<std::map<show_id, story>>(told).begin()->second);
}

std::variant<std::vector<customer_in_show>, failure>
tell_customer(const event_log& log, const std::optional<show_id>& show, const identity_in& who,
              const personal_text& open, reached_fn reached) {
  search events{show ? named_show{*show} : named_show{},
                [&](const show_id& id) { return protagonist{who(id)}; }};
  const auto customer = [&](const show_id& id, const any_fact& what) -> std::string {
    const auto* of_desk = std::get_if<orders::any_event>(&what);
    const auto* order = of_desk ? std::get_if<orders::event::order_placed>(of_desk) : nullptr;
    return order ? ", customer: " + (open ? open(id, *order) : "sealed") : "";
  };
  auto told = tell_all(log, events, customer, {false, std::move(reached)});
  if (auto* fault = std::get_if<failure>(&told))
    return std::move(*fault);
  std::vector<customer_in_show> all;
  for (auto& [id, its] : std::get<std::map<show_id, story>>(told)) {
    const auto& tickets = events.in(id).tickets();
    all.push_back({who(id), {tickets.begin(), tickets.end()}, std::move(its)});
  }
  return all;
}

void write_story(std::ostream& out, const story& what, bool as_json) {
  if (as_json)
    return write_json(out, {{"show", what.show}, {"events", events_json(what)}});
  out << (what.show.empty() ? "cashier" : "show " + what.show) << "\n";
  write_lines(out, what);
}

void write_customer(std::ostream& out, const std::vector<customer_in_show>& all, bool as_json) {
  if (as_json) {
    auto shows = nlohmann::ordered_json::array();
    for (const auto& one : all)
      shows.push_back({{"show", one.told.show},
                       {"identity", hex(one.who)},
                       {"tickets", one.tickets},
                       {"events", events_json(one.told)}});
    return write_json(out, {{"shows", std::move(shows)}});
  }
  for (const auto& one : all) {
    out << (&one == &all.front() ? "" : "\n") << "show " << one.told.show << ", "
        << (one.tickets.empty() ? "no ticket" : tickets_text(one.tickets)) << ", identity "
        << hex(one.who) << "\n";
    write_lines(out, one.told);
  }
}

} // namespace usher::storage::audit
