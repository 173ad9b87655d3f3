#include "config/admin/erase.hpp"

#include "config/admin/put_json.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <ostream>

namespace usher::config {

namespace {

constexpr int refused = 1;
constexpr int cannot = 2;
/// A scan that takes longer than the server's deadline for answers is asked for again: the same
/// request joins the one that is under way.
constexpr int asked_max = 360;

constexpr const char* examples =
    R"(Destroys the keys of what a customer gave: e-mail address and payment tokens of all their orders. From then
on exports, the audit and old copies of the log show `erased`; seats, sums and the log's chain stay as they are.
It cannot be undone.

Examples:
  by the id that the customer joined with:
    USHER_OPERATOR_KEY=... usher admin erase-customer customer-17
  by the address, for orders without a customer's id (or both at once):
    usher admin erase-customer --email ana@example.org

The key has to be an administrator's. Copies of `customer-keys/` in backups still have the keys: docs/personal-data.md.
Exit codes: 0 erased, or there was nothing; 1 the server refused, or something stays readable; 2 no answer, or bad usage.)";

int report(const http_answer& got, bool as_json, std::ostream& out, std::ostream& err) {
  const auto body = nlohmann::json::parse(got.body, nullptr, false);
  if (!body.is_object()) {
    err << "usher admin erase-customer: the answer has an unusual form\n";
    return cannot;
  }
  const auto count = [&](const char* name) {
    return body.contains(name) && body[name].is_number_unsigned() ? body[name].get<std::size_t>()
                                                                  : std::size_t{0};
  };
  if (as_json)
    out << got.body << "\n";
  else
    out << "orders found: " << count("orders") << ", keys destroyed: " << count("keysDestroyed")
        << "\n";
  if (count("remaining") == 0)
    return 0;
  err << count("remaining")
      << " fields stay readable: they were sealed before each had a key of its own "
         "(docs/personal-data.md)\n";
  return refused;
}

bool is_still_at_work(const http_answer& got) {
  return got.status == 503 && got.body.find("outcome-unknown") != std::string::npos;
}

} // namespace

int erase_customer(const erasure& wanted, std::ostream& out, std::ostream& err) {
  auto body = nlohmann::json::object();
  if (!wanted.id.empty())
    body["customerId"] = wanted.id;
  if (!wanted.email.empty())
    body["customerEmail"] = wanted.email;
  if (body.empty()) {
    err << "usher admin erase-customer: name the customer: an ID, --email ADDRESS, or both\n";
    return cannot;
  }
  const auto url = server_address(wanted.server) + "/v1/customers/erase";
  const auto text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (int asked = 0; asked < asked_max; ++asked) {
    const auto got = send_json("POST", url, wanted.key, text);
    if (const auto* none = std::get_if<no_answer>(&got)) {
      err << printable("usher admin erase-customer: no answer from " + wanted.server + ": " +
                       none->why)
          << "\nIt may have been done; asking again does no harm\n";
      return cannot;
    }
    const auto& answer = std::get<http_answer>(got);
    if (answer.status == 200)
      return report(answer, wanted.json, out, err);
    if (!is_still_at_work(answer)) {
      err << refusal_text(answer) << "\n";
      return refused;
    }
    err << "the server still reads its log ...\n";
  }
  err << "usher admin erase-customer: it takes too long; ask again\n";
  return cannot;
}

void add_erase_customer(CLI::App& admin, int& exit_code) {
  auto* const command =
      admin.add_subcommand("erase-customer", "Make what a customer gave unreadable, for good");
  command->footer(examples);
  const auto wanted = std::make_shared<erasure>();
  command->add_option("ID", wanted->id, "The customer's id, as it was given at the join");
  command->add_option("--email", wanted->email, "Orders with this address, too")
      ->type_name("ADDRESS");
  command->add_option("--server", wanted->server, "Where the server listens")
      ->type_name("URL")
      ->capture_default_str();
  command->add_flag("--json", wanted->json, "For machines: the server's answer as it is");
  command->callback([wanted, &exit_code] {
    const auto* key = std::getenv("USHER_OPERATOR_KEY");
    wanted->key = key == nullptr ? "" : key;
    exit_code = erase_customer(*wanted, std::cout, std::cerr);
  });
}

} // namespace usher::config
