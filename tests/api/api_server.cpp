#include "tests/api/api_server.hpp"

#include <map>

namespace usher::test {

std::string said::brief() const {
  const auto word = code().empty() ? text("status") : code();
  return std::to_string(status) + (word.empty() ? "" : " " + word);
}
std::string said::fields() const {
  std::string all;
  if (body.is_object() && body.contains("errors"))
    for (const auto& each : body["errors"])
      all += (all.empty() ? "" : " ") + each["field"].get<std::string>();
  return all;
}
std::string said::text(const std::string& member) const {
  return body.is_object() && body.contains(member) && body[member].is_string()
             ? body[member].get<std::string>()
             : std::string{};
}
std::ostream& operator<<(std::ostream& to, const said& what) {
  return to << what.status << ' ' << what.raw.body;
}

namespace {

std::map<std::string, payments::provider*>
named(const std::vector<payments::gateway_setup>& gateways) {
  std::map<std::string, payments::provider*> all;
  for (const auto& each : gateways)
    all.emplace(each.provider->name(), each.provider);
  return all;
}

} // namespace

api_server::scratch::scratch() {
  auto name = (std::filesystem::temp_directory_path() / "usher-api-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error{"no directory for the test's keys"};
  path = name;
}

api_server::scratch::~scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::vector<payments::gateway_setup> api_server::gateways_of(const gateway_parts& parts) {
  if (!parts.gateways.empty())
    return parts.gateways;
  return {{&sandbox_, {.gateway = "SANDBOX", .priority = 1}},
          {&declining_},
          {&failing_},
          {&unsure_},
          {&slow}};
}

api_server::api_server(http::api_options options, duration_ms map_interval_ms, gateway_parts parts)
    : system_{config_},
      node_{system_,
            {},
            {log_.get(), &clock, [](const storage::failure&) { std::abort(); }, gateways_of(parts),
             true, secret(4), nullptr, parts.payment_limit_ms}},
      app{.options = std::move(options),
          .shows = &node_.shows(),
          .directory = node_.directory(),
          .archive = node_.archive(),
          .clock = &clock,
          .tickets = http::ticket_codec{http::hmac_key{secret(1)}},
          .entry_tickets = http::entry_ticket_codec{secret(5), secret(6)},
          .identities = http::hmac_key{secret(2)},
          .personal_data = &personal_data_,
          .access = {},
          .joins = http::join_desks{io_threads},
          .maps = http::seat_maps{map_interval_ms},
          .gateways = node_.gateways(),
          .providers = named(gateways_of(parts)),
          .cashier = node_.cashier(),
          .cashier_board = &node_.cashier_board(),
          .customer_tokens = std::make_unique<http::customer_token_verifier>(
              http::customer_token_options{.keys = {{"seller", seller.for_verifier()}}}),
          .proofs = std::make_unique<http::proof_of_work>(proofs)},
      api_{app},
      server_{server_options(), api_} {
  using enum access::role;
  for (const auto role : {admin, operator_, service, gate, viewer}) {
    const std::string name{access::to_string(role)};
    app.access.add(name, role, http::sha256(name + "-key"));
  }
  app.eraser = &eraser_;
  if (const auto failed = server_.start())
    throw std::runtime_error{failed->what};
}

said api_server::ask(std::string_view method, const std::string& path, std::string_view body,
                     const extra& with) const {
  auto bytes = std::string{method} + " " + path + " HTTP/1.1\r\nHost: usher\r\n";
  if (!with.ticket.empty())
    bytes += "X-Admission-Ticket: " + with.ticket + "\r\n";
  if (!with.key.empty())
    bytes += "Authorization: Bearer " + with.key + "\r\n";
  if (!with.idempotency.empty())
    bytes += "Idempotency-Key: " + with.idempotency + "\r\n";
  if (!body.empty() && !with.type.empty())
    bytes += "Content-Type: " + with.type + "\r\n";
  if (!body.empty() || method == "POST")
    bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  bytes.append(with.headers).append("\r\n").append(body);
  auto line = connect();
  line.send(bytes);
  auto got = line.read(method == "HEAD");
  if (!got)
    throw std::runtime_error{"no answer to " + std::string{method} + " " + path};
  said heard{got->status, nullptr, std::move(*got)};
  const bool is_json = heard.raw.header("content-type").find("json") != std::string::npos;
  if (is_json && !heard.raw.body.empty() && heard.header("content-encoding").empty())
    heard.body = json::parse(heard.raw.body);
  return heard;
}

said api_server::get(const std::string& path, const extra& with) const {
  return ask("GET", path, {}, with);
}

said api_server::del(const std::string& path, const extra& with) const {
  return ask("DELETE", path, {}, with);
}

said api_server::post(const std::string& path, const json& body, const extra& with) const {
  return ask("POST", path, body.is_null() ? "" : body.dump(), with);
}

said api_server::put(const std::string& path, const json& body, extra with) const {
  return ask("PUT", path, body.dump(), with);
}

said api_server::patch(const std::string& path, const json& body) const {
  return ask("PATCH", path, body.dump(), {.key = "operator-key"});
}

json hall() {
  return json::parse(R"({"title": "Hall", "currency": "BRL",
    "plan": {"categories": [{"id": "stalls", "name": "Stalls", "price": 35000},
                            {"id": "box", "name": "Box", "price": 50000}],
             "blocks": [{"id": "left", "category": "stalls", "rows": [{"id": "A", "count": 10}]},
                        {"id": "right", "category": "box", "rows": [{"id": "B", "count": 10}]}]},
    "waitingRoom": {"admitPerSecond": 1000, "tick": "10ms"}})");
}

json hall_with(std::string_view patch) {
  auto made = hall();
  made.merge_patch(json::parse(patch));
  return made;
}

json plain(const std::string& currency) {
  return {{"title", "Plain"}, {"currency", currency}};
}

show::show(const json& what, std::string its_id) : id{std::move(its_id)} {
  static std::atomic<int> made{0};
  if (id.empty())
    id = "show-" + std::to_string(++made);
  path = "/v1/shows/" + id;
  if (const auto put = server().put(path, what); put.status != 201)
    throw std::runtime_error{"the show could not be made: " + put.raw.body};
}

const show& show::open() const {
  if (server().post(room("open"), nullptr, {.key = "operator-key"}).status != 204)
    throw std::runtime_error{"the room could not be opened"};
  return *this;
}

std::string show::room(const std::string& end) const {
  return path + "/waiting-room/" + end;
}

said show::join(const extra& with) const {
  return server().post(room("join"), nullptr, with);
}

said show::ticket(const std::string& ticket) const {
  return server().get(room("tickets/" + ticket));
}

std::string show::admitted() const {
  const auto its = join().text("ticketId");
  if (!eventually([&] { return ticket(its).text("status") == "ADMITTED"; }))
    throw std::runtime_error{"nobody is admitted"};
  return its;
}

said show::hold(const std::vector<std::string>& seats, const extra& with) const {
  return server().post(path + "/holds", {{"seats", seats}}, with);
}

said show::hold_of(const std::string& hold) const {
  return server().get(path + "/holds/" + hold);
}

said show::take(const json& body, const extra& with) const {
  return server().post(path + "/holds", body, with);
}

said show::best(const json& ask, const extra& with) const {
  return take({{"best", ask}}, with);
}

said show::extend(const std::string& hold, const extra& with) const {
  return server().post(path + "/holds/" + hold + "/extend", nullptr, with);
}

said show::add(const std::string& hold, const json& body, const extra& with) const {
  return server().post(path + "/holds/" + hold + "/seats", body, with);
}

said show::give_back(const std::string& hold, const std::string& seat, const extra& with) const {
  return server().del(path + "/holds/" + hold + "/seats/" + seat, with);
}

said show::release(const std::string& hold, const extra& with) const {
  return server().del(path + "/holds/" + hold, with);
}

said show::by_staff(const std::string& what, const json& body, const extra& with) const {
  return server().post(path + "/" + what, body, with);
}

std::string show::seat(const std::string& seat) const {
  const auto map = server().get(path + "/seats").body;
  for (const auto& block : map["blocks"])
    if (block["seats"].contains(seat))
      return block["seats"][seat].get<std::string>();
  return "";
}

json show::description() const {
  return server().get(path).body;
}

} // namespace usher::test
