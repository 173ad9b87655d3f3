#pragma once

#include "actors/basics/ids.hpp"
#include "storage/cbor_items.hpp"
#include "storage/event_log.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reading the fields of a stored map strictly: every field is asked for once, has the type and the
// range asked for, and none is left over. Nothing throws.
namespace usher::storage {

/// The fields of one map. The first fault is kept in `fault`; from then on every read gives a
/// default. Both arguments must outlive the reader; so must the names, which are literals.
class fields {
public:
  fields(const cbor_item& map, std::string_view where, std::optional<failure>& fault);

  [[nodiscard]] bool has(const char* name) const;
  std::uint32_t u32(const char* name);
  std::uint64_t u64(const char* name);
  std::int64_t i64(const char* name);
  double number(const char* name);
  bool flag(const char* name);
  std::string text(const char* name);
  std::string bytes(const char* name);
  std::vector<std::string> texts(const char* name);
  std::vector<std::uint32_t> u32s(const char* name);
  std::vector<std::int64_t> i64s(const char* name);
  std::optional<std::uint32_t> optional_u32(const char* name);
  std::optional<std::int64_t> optional_i64(const char* name);

  /// A byte string of exactly as many bytes as `into` has; otherwise a fault, and `into` stays.
  void fixed_bytes(const char* name, std::span<std::uint8_t> into);

  /// A byte string of whole entries of so many bytes, or nothing (and a fault). Points into what
  /// was read.
  std::span<const std::uint8_t> column(const char* name, std::size_t entry_size);

  template <class Id>
  Id id(const char* name) {
    Id value;
    fixed_bytes(name, value.bytes);
    return value;
  }

  /// None where the field is absent.
  template <class Id>
  Id optional_id(const char* name) {
    return has(name) ? id<Id>(name) : Id{};
  }

  /// A stored name of an enum: `parse` gives an optional.
  template <class Parse>
  auto name_of(const char* name, Parse parse) -> typename decltype(parse(""))::value_type {
    const auto value = parse(text(name));
    if (!value)
      wrong(name, "a name that is known");
    return value.value_or(typename decltype(parse(""))::value_type{});
  }

  /// A map inside: `read(fields&)` takes all of it.
  template <class Read>
  auto map(const char* name, Read read) {
    return inside(take(name), name, read);
  }

  template <class Read>
  auto optional_map(const char* name, Read read) {
    using value = decltype(map(name, read));
    return has(name) ? std::optional<value>{map(name, read)} : std::nullopt;
  }

  /// An array of maps.
  template <class Read>
  auto maps(const char* name, Read read) {
    std::vector<decltype(map(name, read))> all;
    for (const auto& item : array(name)) {
      if (fault_)
        break;
      all.push_back(inside(item, name, read));
    }
    return all;
  }

  /// To be called when all fields were read: whatever is left over is a fault.
  void end();

  /// A fault found by the caller.
  void wrong(const char* name, std::string_view wanted);
  [[nodiscard]] bool faulty() const { return fault_.has_value(); }

private:
  [[nodiscard]] const cbor_item* find(std::string_view name) const;
  const cbor_item& take(const char* name);
  const cbor_item& array(const char* name);

  template <class Read>
  auto inside(const cbor_item& value, const char* name, Read read) {
    fields inner{value, name, fault_};
    auto result = read(inner);
    inner.end();
    return result;
  }

  const cbor_item* map_; ///< none: what was given is no map
  std::string_view where_;
  std::optional<failure>& fault_;
  std::uint64_t taken_ = 0;
};

} // namespace usher::storage
