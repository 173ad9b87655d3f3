#include "http/api/decimal_member.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace usher::http {

namespace {

/// Listens for one member of the outermost object.
class listener : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit listener(std::string_view name) : name_{name} {}

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(std::int64_t value) override { return take(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return take(std::to_string(value)); }
  bool number_float(double, const std::string& written) override { return take(written); }
  bool string(std::string& value) override { return take(value); }
  bool binary(binary_t&) override { return other(); }
  bool start_object(std::size_t) override { return enter(); }
  bool key(std::string& name) override {
    expected_ = depth_ == 1 && name == name_;
    return true;
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  std::optional<std::string> found;

private:
  bool take(const std::string& written) {
    if (expected_)
      found = written;
    return other();
  }
  bool other() {
    expected_ = false;
    return true;
  }
  bool enter() {
    expected_ = false;
    ++depth_;
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  std::string_view name_;
  int depth_ = 0;
  bool expected_ = false;
};

} // namespace

std::optional<std::string> decimal_member(std::string_view body, std::string_view name) {
  listener heard{name};
  if (!nlohmann::json::sax_parse(body, &heard))
    return std::nullopt;
  return heard.found;
}

} // namespace usher::http
