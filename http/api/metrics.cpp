#include "http/api/metrics.hpp"

#include "actors/runtime/snapshotter.hpp"
#include "http/api/app.hpp"
#include "storage/outbox/workers.hpp"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::http {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using shows::show_entry;
using waiting_room::eta_accuracy;
using waiting_room::room_status;
using samples = std::vector<ClientMetric>;
using labels = std::vector<ClientMetric::Label>;

/// A counter or a gauge; the family's type says which of the two is written.
void add(samples& into, std::uint64_t value, labels with = {}) {
  ClientMetric made;
  made.label = std::move(with);
  made.counter.value = made.gauge.value = static_cast<double>(value);
  into.push_back(std::move(made));
}

// ---- of one show

struct show_metric {
  std::string_view name;
  MetricType type;
  std::string_view more_labels; ///< beside `show`
  std::string_view help;
  void (*read)(const show_entry&, time_ms now, samples&);
};

void read_states(const show_entry& show, time_ms, samples& into) {
  using enum room_status;
  const auto now = show.board->room().status;
  for (const auto each : {off, scheduled, prequeue, open, paused, standby, ended})
    add(into, each == now ? 1 : 0,
        {{"show", show.id}, {"state", std::string{waiting_room::to_string(each)}}});
}

void read_rate(const show_entry& show, time_ms now, samples& into) {
  add(into, 0, {{"show", show.id}});
  into.back().gauge.value =
      static_cast<double>(show.board->admissions_per_second_micro(now)) / 1'000'000;
}

void read_ended(const show_entry& show, time_ms, samples& into) {
  const auto ended = show.board->ended();
  add(into, ended.bought, {{"show", show.id}, {"outcome", "bought"}});
  add(into, ended.others, {{"show", show.id}, {"outcome", "other"}});
}

void read_seats(const show_entry& show, time_ms, samples& into) {
  const auto now = show.now();
  if (!now->what.plan)
    return;
  seating::tally all;
  for (const auto& board : now->boards) {
    const auto one = board->count();
    all.available += one.available;
    all.held += one.held;
    all.sold += one.sold;
  }
  for (const auto& [state, count] : {std::pair{"available", all.available},
                                     std::pair{"held", all.held}, std::pair{"sold", all.sold}})
    add(into, count, {{"show", show.id}, {"state", state}});
}

void read_eta_ratio(const show_entry& show, time_ms, samples& into) {
  const auto& accuracy = show.board->accuracy();
  ClientMetric made;
  made.label = {{"show", show.id}};
  auto& all = made.histogram;
  for (std::size_t at = 0; at < eta_accuracy::bounds_percent.size(); ++at) {
    all.sample_count += accuracy.count(at);
    all.bucket.push_back({all.sample_count, eta_accuracy::bounds_percent[at] / 100.0});
  }
  all.sample_count += accuracy.count(eta_accuracy::bounds_percent.size());
  all.sample_sum = accuracy.sum_of_ratios();
  into.push_back(std::move(made));
}

template <auto Member>
void read_room(const show_entry& show, time_ms, samples& into) {
  add(into, show.board->room().*Member, {{"show", show.id}});
}

constexpr std::array show_metrics{
    show_metric{"usher_queue_waiting", MetricType::Gauge, "",
                "Fans who wait, without those passed over.",
                read_room<&waiting_room::room_view::waiting>},
    show_metric{"usher_queue_absent", MetricType::Gauge, "",
                "Fans passed over because their polls stopped; they keep their claim.",
                read_room<&waiting_room::room_view::absent>},
    show_metric{"usher_admissions_active", MetricType::Gauge, "",
                "Admissions that take capacity now.", read_room<&waiting_room::room_view::active>},
    show_metric{"usher_fans_joined_total", MetricType::Counter, "",
                "Places given out since the show was created.",
                read_room<&waiting_room::room_view::joined>},
    show_metric{"usher_room_state", MetricType::Gauge, "state",
                "State of the waiting room: 1 for the present one, 0 for the others.", read_states},
    show_metric{"usher_admission_rate", MetricType::Gauge, "",
                "Fans let in a second, as measured over the last minute; the set rate while there "
                "is nothing to measure.",
                read_rate},
    show_metric{"usher_admissions_ended_total", MetricType::Counter, "outcome",
                "Admissions that ended since the room opened, by whether they bought.", read_ended},
    show_metric{"usher_seats", MetricType::Gauge, "state",
                "Seats of the plan by state; none for a show whose seats are kept elsewhere.",
                read_seats},
    show_metric{"usher_eta_ratio", MetricType::Histogram, "",
                "The wait that came divided by the wait that was promised at the join, of one fan "
                "in 64.",
                read_eta_ratio},
};

// ---- of the process

/// The shows that are exported, and what else there is to know.
struct scraped {
  const app& with;
  std::vector<const show_entry*> shows;
  std::size_t left_out = 0;
  server_counts counts;
};

struct process_metric {
  std::string_view name;
  MetricType type;
  std::string_view labels;
  std::string_view help;
  void (*read)(const scraped&, samples&);
};

/// Over all desks, also those of shows that are left out.
template <auto Member>
void read_open(const scraped& all, samples& into) {
  std::uint64_t sum = 0;
  if (all.with.cashier_board != nullptr)
    sum = (all.with.cashier_board->*Member).load();
  for (const auto* show : all.with.shows->all())
    sum += ((*show->desk_board).*Member).load();
  add(into, sum);
}

template <class Read>
void for_each_gateway(const scraped& all, samples& into, Read read) {
  if (all.with.gateways != nullptr)
    for (const auto& [name, line] : all.with.gateways->lines)
      add(into, read(line.board->snapshot()), {{"gateway", name}});
}

template <auto Member>
void read_gateways(const scraped& all, samples& into) {
  for_each_gateway(all, into,
                   [](const payments::gateway_view& view) { return view.now.counts.*Member; });
}

void read_breakers(const scraped& all, samples& into) {
  for_each_gateway(all, into, [](const payments::gateway_view& view) -> std::uint64_t {
    switch (view.breaker.is) {
    case payments::breaker_status::closed:
      return 0;
    case payments::breaker_status::half_open:
      return 1;
    case payments::breaker_status::open:
      break;
    }
    return 2;
  });
}

void read_snapshot_seconds(const scraped& all, samples& into) {
  add(into, 0);
  if (all.with.snapshots != nullptr)
    into.back().gauge.value = static_cast<double>(all.with.snapshots->last_took_ms()) / 1000;
}

/// What `read(view, now)` gives of each sink.
template <class Read>
void for_each_sink(const scraped& all, samples& into, Read read) {
  if (all.with.outbox == nullptr)
    return;
  const auto now = all.with.clock->now();
  for (const auto& each : all.with.outbox->look())
    add(into, static_cast<std::uint64_t>(read(each, now)), {{"sink", each.name}});
}

using storage::outbox::sink_view;

void read_sink_ages(const scraped& all, samples& into) {
  for_each_sink(all, into, [](const sink_view& view, time_ms now) {
    return view.now.oldest_at == 0 ? 0 : std::max<time_ms>(now - view.now.oldest_at, 0) / 1000;
  });
}

constexpr std::array process_metrics{
    process_metric{"usher_build_info", MetricType::Gauge, "version",
                   "1; the label says what is running.",
                   [](const scraped&, samples& into) {
                     add(into, 1, {{"version", USHER_VERSION}});
                   }},
    process_metric{"usher_ready", MetricType::Gauge, "", "1, or 0 while the server is stopping.",
                   [](const scraped& all, samples& into) { add(into, all.with.ready ? 1 : 0); }},
    process_metric{"usher_accepts_writes", MetricType::Gauge, "",
                   "1, or 0 while writes are refused because the disk is nearly full.",
                   [](const scraped& all, samples& into) {
                     add(into, all.with.disk == nullptr || all.with.disk->accepts_writes() ? 1 : 0);
                   }},
    process_metric{"usher_disk_free_bytes", MetricType::Gauge, "", "Free space where the data is.",
                   [](const scraped& all, samples& into) {
                     if (all.with.disk != nullptr)
                       add(into, all.with.disk->free_bytes());
                   }},
    process_metric{"usher_snapshot_position", MetricType::Gauge, "",
                   "Position in the log of the newest snapshot; 0: there is none.",
                   [](const scraped& all, samples& into) {
                     add(into, all.with.snapshots != nullptr ? all.with.snapshots->position() : 0);
                   }},
    process_metric{"usher_snapshot_seconds", MetricType::Gauge, "",
                   "How long the last snapshot took to make; 0 before the first.",
                   read_snapshot_seconds},
    process_metric{"usher_snapshot_failures_total", MetricType::Counter, "",
                   "Snapshots that could not be made.",
                   [](const scraped& all, samples& into) {
                     add(into, all.with.snapshots != nullptr ? all.with.snapshots->failed() : 0);
                   }},
    process_metric{"usher_connections", MetricType::Gauge, "", "Open HTTP connections.",
                   [](const scraped& all, samples& into) { add(into, all.counts.connections); }},
    process_metric{"usher_requests_in_flight", MetricType::Gauge, "",
                   "Requests that wait for an answer of the actors.",
                   [](const scraped& all, samples& into) { add(into, all.counts.in_flight); }},
    process_metric{"usher_streams", MetricType::Gauge, "", "Open streams of events.",
                   [](const scraped& all, samples& into) { add(into, all.counts.streams); }},
    process_metric{
        "usher_shows", MetricType::Gauge, "", "Shows there are.",
        [](const scraped& all, samples& into) { add(into, all.shows.size() + all.left_out); }},
    process_metric{"usher_payments_unknown", MetricType::Gauge, "",
                   "Attempts to pay whose outcome is not known yet, over all shows.",
                   read_open<&orders::desk_board::payments_unknown>},
    process_metric{"usher_refunds_open", MetricType::Gauge, "",
                   "Refunds that are not done yet, over all shows.",
                   read_open<&orders::desk_board::refunds_open>},
    process_metric{"usher_refunds_stuck", MetricType::Gauge, "",
                   "Of those: tried five times in vain, or paid where no gateway of ours is. "
                   "Somebody should look.",
                   read_open<&orders::desk_board::refunds_stuck>},
    process_metric{"usher_gateway_breaker", MetricType::Gauge, "gateway",
                   "Circuit breaker of a gateway: 0 CLOSED, 1 HALF_OPEN, 2 OPEN.", read_breakers},
    process_metric{"usher_gateway_calls_total", MetricType::Counter, "gateway",
                   "Calls made to a gateway.", read_gateways<&payments::gateway_counts::calls>},
    process_metric{"usher_gateway_failures_total", MetricType::Counter, "gateway",
                   "Calls that failed as the breaker judges: not reached, no answer, an error of "
                   "theirs, or slow.",
                   read_gateways<&payments::gateway_counts::failures>},
    process_metric{"usher_gateway_declined_total", MetricType::Counter, "gateway",
                   "Payments and refunds that a gateway said no to.",
                   read_gateways<&payments::gateway_counts::declined>},
    process_metric{"usher_gateway_refused_total", MetricType::Counter, "gateway",
                   "Calls that were not made because the breaker was open.",
                   read_gateways<&payments::gateway_counts::refused_by_breaker>},
    process_metric{"usher_outbox_lag_events", MetricType::Gauge, "sink",
                   "Positions of the log from the oldest event that a sink has not had to the end.",
                   [](const scraped& all, samples& into) {
                     for_each_sink(all, into,
                                   [](const sink_view& view, time_ms) { return view.lag_events; });
                   }},
    process_metric{"usher_outbox_lag_seconds", MetricType::Gauge, "sink",
                   "Age of the oldest event that is being delivered; 0 if none is.",
                   read_sink_ages},
    process_metric{"usher_outbox_stopped", MetricType::Gauge, "sink",
                   "1 if nothing is delivered until an operator resumes or resets the sink.",
                   [](const scraped& all, samples& into) {
                     for_each_sink(all, into, [](const sink_view& view, time_ms) {
                       return view.now.state == storage::outbox::sink_state::stopped ? 1 : 0;
                     });
                   }},
    process_metric{"usher_outbox_delivered_total", MetricType::Counter, "sink",
                   "Events that a sink was given, repetitions included.",
                   [](const scraped& all, samples& into) {
                     for_each_sink(all, into, [](const sink_view& view, time_ms) {
                       return view.now.delivered;
                     });
                   }},
    process_metric{"usher_outbox_failures_total", MetricType::Counter, "sink",
                   "Deliveries that failed, and looks at log or cursors.",
                   [](const scraped& all, samples& into) {
                     for_each_sink(all, into, [](const sink_view& view, time_ms) {
                       return view.now.failures;
                     });
                   }},
    process_metric{"usher_shows_left_out", MetricType::Gauge, "",
                   "Shows without series of their own, because there are over 1,000.",
                   [](const scraped& all, samples& into) { add(into, all.left_out); }},
};

scraped look_around(const app& with) {
  scraped all{with, {}, 0, with.server_counts ? with.server_counts() : server_counts{}};
  for (const auto* show : with.shows->all())
    all.shows.push_back(show);
  std::reverse(all.shows.begin(), all.shows.end()); // the newest first
  std::stable_partition(all.shows.begin(), all.shows.end(), [](const show_entry* show) {
    return show->board->room().status != room_status::off;
  });
  if (all.shows.size() > shows_exported_max) {
    all.left_out = all.shows.size() - shows_exported_max;
    all.shows.resize(shows_exported_max);
  }
  return all;
}

/// Reads the boards when it is asked.
class board_metrics : public prometheus::Collectable {
public:
  explicit board_metrics(const app& with) : with_{with} {}

  [[nodiscard]] std::vector<MetricFamily> Collect() const override {
    const auto all = look_around(with_);
    const auto now = with_.clock->now();
    std::vector<MetricFamily> made;
    for (const auto& each : show_metrics) {
      made.push_back({std::string{each.name}, std::string{each.help}, each.type, {}});
      for (const auto* show : all.shows)
        each.read(*show, now, made.back().metric);
    }
    for (const auto& each : process_metrics) {
      made.push_back({std::string{each.name}, std::string{each.help}, each.type, {}});
      each.read(all, made.back().metric);
    }
    return made;
  }

private:
  const app& with_;
};

std::string_view name_of(MetricType type) {
  return type == MetricType::Counter     ? "counter"
         : type == MetricType::Histogram ? "histogram"
                                         : "gauge";
}

} // namespace

std::string metrics_documentation() {
  std::string text = "| metric | type | labels | what it is |\n|---|---|---|---|\n";
  const auto row = [&](std::string_view name, MetricType type, const std::string& with,
                       std::string_view help) {
    text.append("| `").append(name).append("` | ").append(name_of(type)).append(" | ");
    text.append(with).append(" | ").append(help).append(" |\n");
  };
  const auto code = [](std::string_view label) { return "`" + std::string{label} + "`"; };
  for (const auto& each : show_metrics)
    row(each.name, each.type,
        each.more_labels.empty() ? "`show`" : "`show`, " + code(each.more_labels), each.help);
  for (const auto& each : process_metrics)
    row(each.name, each.type, each.labels.empty() ? "none" : code(each.labels), each.help);
  return text;
}

std::shared_ptr<const std::string> metrics_page::of(const app& with) {
  const std::lock_guard lock{mutex_};
  const auto now = with.clock->now();
  if (made_ == nullptr || now - made_at_ >= kept_ms) {
    const prometheus::TextSerializer format;
    made_ = std::make_shared<const std::string>(format.Serialize(board_metrics{with}.Collect()));
    made_at_ = now;
  }
  return made_;
}

} // namespace usher::http
