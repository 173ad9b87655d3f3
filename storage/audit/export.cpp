#include "storage/audit/export.hpp"

#include "storage/audit/names.hpp"
#include "storage/files.hpp"

#include <nlohmann/json.hpp>

namespace usher::storage::audit {

namespace {

using json = nlohmann::ordered_json;

json readable(const json& value) {
  if (value.is_binary()) {
    const auto& bytes = value.get_binary();
    return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  if (!value.is_structured())
    return value;
  auto made = value.is_array() ? json::array() : json::object();
  if (value.is_array())
    for (const auto& item : value)
      made.push_back(readable(item));
  else
    for (const auto& [name, item] : value.items())
      made[name] = readable(item);
  return made;
}

} // namespace

std::variant<std::string, failure> cloud_event(const stored_record& which) {
  auto data = json::from_cbor(which.data, true, false);
  if (data.is_discarded())
    return failure{"position " + std::to_string(which.position) + ": the payload is no CBOR"};
  data = readable(data);
  if (which.type == "order_placed" && data.contains("customer"))
    data["customer"] = "sealed";
  const json envelope{{"specversion", "1.0"},
                      {"id", "0/" + std::to_string(which.position)},
                      {"source", "/usher/shards/0"},
                      {"type", "usher." + which.type},
                      {"subject", which.subject},
                      {"time", time_text(which.at)},
                      {"datacontenttype", "application/json"},
                      {"sequence", std::to_string(which.position)},
                      {"schemaversion", which.schema},
                      {"subjectversion", std::to_string(which.version)},
                      {"causedby", which.cause.who},
                      {"request", which.cause.request},
                      {"data", std::move(data)}};
  return envelope.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace usher::storage::audit
