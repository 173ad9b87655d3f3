#include "http/gateways/exact_json.hpp"

#include <vector>

namespace usher::gateways {

namespace {

/// Builds the values as the parser meets them. The parser calls it in the order of the text.
class exact_builder final : public nlohmann::json_sax<json> {
public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t, const string_t& letters) override { return add(letters); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  [[nodiscard]] json& root() { return root_; }

private:
  json* place(json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& inside = *stack_.back();
    if (inside.is_array()) {
      inside.push_back(std::move(value));
      return &inside.back();
    }
    return &(inside[key_] = std::move(value));
  }

  bool add(json value) {
    place(std::move(value));
    return true;
  }

  bool open(json empty) {
    if (stack_.size() >= json_depth_max)
      return false;
    // Stays where it is: nothing is added beside it before it is closed.
    stack_.push_back(place(std::move(empty)));
    return true;
  }

  bool close() {
    stack_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> stack_;
  std::string key_;
};

} // namespace

std::optional<json> read_object(std::string_view text) {
  exact_builder builder;
  if (!json::sax_parse(text, &builder) || !builder.root().is_object())
    return std::nullopt;
  return std::move(builder.root());
}

const json* find_at(const json& in, const std::string& pointer) {
  const json::json_pointer to{pointer};
  return in.contains(to) ? &in.at(to) : nullptr;
}

std::string text_at(const json& in, const std::string& pointer) {
  const auto* found = find_at(in, pointer);
  if (found == nullptr)
    return {};
  if (found->is_string())
    return found->get<std::string>();
  return found->is_number_integer() ? found->dump() : std::string{};
}

std::string written(const json& what) {
  return what.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace usher::gateways
