#include "storage/cbor.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace usher::storage {

namespace {

/// Builds the document as nlohmann's own parser does, but gives up (false) at a depth, at a key
/// that comes twice and at an error, where that one recurses, overwrites and throws.
class bounded_builder final : public json::json_sax_t {
public:
  [[nodiscard]] json& root() { return root_; }

  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(std::int64_t value) override { return add(value) != nullptr; }
  bool number_unsigned(std::uint64_t value) override { return add(value) != nullptr; }
  bool number_float(double value, const std::string&) override { return add(value) != nullptr; }
  bool string(std::string& value) override { return add(std::move(value)) != nullptr; }
  bool binary(json::binary_t& value) override { return add(std::move(value)) != nullptr; }

  bool start_object(std::size_t) override { return enter(json::object()); }
  bool start_array(std::size_t) override { return enter(json::array()); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(std::string& name) override {
    if (open_.back()->contains(name))
      return false;
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

private:
  json* add(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    json& parent = *open_.back();
    if (parent.is_array())
      return &parent.emplace_back(std::move(value));
    return &(parent[std::move(key_)] = std::move(value));
  }

  bool enter(json container) {
    if (open_.size() == cbor_depth_max)
      return false;
    open_.push_back(add(std::move(container)));
    return true;
  }

  bool leave() {
    open_.pop_back();
    return true;
  }

  json root_;
  std::vector<json*> open_; ///< stable: a container gets no sibling before it is closed
  std::string key_;
};

} // namespace

std::optional<json> read_cbor(std::string_view bytes) {
  bounded_builder builder;
  if (!json::sax_parse(bytes, &builder, json::input_format_t::cbor, true))
    return std::nullopt;
  return std::move(builder.root());
}

std::string write_cbor(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

} // namespace usher::storage
