#pragma once

#include "actors/basics/chunked_vector.hpp"
#include "actors/basics/ids.hpp"
#include "actors/runtime/snapshot/io.hpp"

#include <boost/pfr/core.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <concepts>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// One function for both directions: `pass(io, value)` writes a value or reads it, so that neither
// can forget what the other does. An aggregate passes all its fields, in order, as the compiler
// counts them; a class with anything private, or with a constructor, has a `snapshot_fields` beside
// this file. Numbers are little-endian, counts 8 bytes.
namespace usher::runtime::snapshot {

static_assert(std::endian::native == std::endian::little, "bytes are copied as they lie in memory");

template <class Io, class Value>
void pass(Io& io, Value& value);

namespace detail {

template <class Type, template <class...> class Template>
inline constexpr bool is = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is<Template<Args...>, Template> = true;

template <class Type>
inline constexpr bool is_array = false;
template <class Entry, std::size_t Size>
inline constexpr bool is_array<std::array<Entry, Size>> = true;

/// Every pattern of its bits is a value, and none of them is padding.
template <class Type>
inline constexpr bool
    is_plain = (std::integral<Type> && !std::same_as<Type, bool>) || std::is_enum_v<Type> ||
               std::same_as<Type, double> || std::derived_from<Type, id128>;
template <class Entry, std::size_t Size>
inline constexpr bool is_plain<std::array<Entry, Size>> = is_plain<Entry>;

/// Vectors and what is like them, but for chunked_vector.
template <class Type>
inline constexpr bool is_sequence = is<Type, std::vector> || is<Type, std::deque>;
template <class Type>
inline constexpr bool is_chunked = false;
template <class Entry, std::size_t PerChunk>
inline constexpr bool is_chunked<chunked_vector<Entry, PerChunk>> = true;

template <class Type>
concept map_like = requires {
  typename Type::mapped_type;
};
template <class Type>
concept set_like = requires {
  typename Type::key_type;
}
&&!map_like<Type>;

/// Most entries that memory is set aside for before they are read.
inline constexpr std::uint64_t reserved_max = std::uint64_t{1} << 20;

/// Passes a count of things that take at least a byte each.
template <class Io>
std::uint64_t pass_count(Io& io, std::uint64_t count) {
  io.raw(&count, sizeof count);
  if constexpr (Io::reads)
    io.need(count);
  return count;
}

template <class Io>
bool pass_flag(Io& io, bool set) {
  auto byte = static_cast<std::uint8_t>(set ? 1 : 0);
  io.raw(&byte, sizeof byte);
  if constexpr (Io::reads)
    if (byte > 1)
      throw unreadable{"a flag is neither set nor not"};
  return byte != 0;
}

template <class Io>
void pass_text(Io& io, auto& text) {
  const auto size = pass_count(io, text.size());
  if constexpr (Io::reads)
    text.resize(static_cast<std::size_t>(size));
  io.raw(text.data(), text.size());
}

template <class Io, class Value>
void pass_optional(Io& io, Value& value) {
  const bool has = pass_flag(io, value.has_value());
  if constexpr (Io::reads) {
    value.reset(); // it may be something unless told otherwise
    if (has)
      value.emplace();
  }
  if (has)
    pass(io, *value);
}

/// A pointer to what does not change may be null; to what does, never: it reads into what is there.
template <class Io, class Pointer>
void pass_pointer(Io& io, Pointer& pointer) {
  using entry = typename Pointer::element_type;
  if constexpr (!std::is_const_v<entry>) {
    pass(io, *pointer);
  } else if constexpr (Io::reads) {
    pointer = nullptr;
    if (!pass_flag(io, false))
      return;
    auto made = std::make_shared<std::remove_const_t<entry>>();
    pass(io, *made);
    pointer = std::move(made);
  } else if (pass_flag(io, pointer != nullptr)) {
    pass(io, *pointer);
  }
}

template <std::size_t At = 0, class Io, class Variant>
void read_alternative(Io& io, Variant& value, std::size_t which) {
  if constexpr (At == std::variant_size_v<Variant>)
    throw unreadable{"a choice is none of those there are"};
  else if (which == At)
    pass(io, value.template emplace<At>());
  else
    read_alternative<At + 1>(io, value, which);
}

template <class Io, class Variant>
void pass_variant(Io& io, Variant& value) {
  auto which = static_cast<std::uint8_t>(value.index());
  io.raw(&which, sizeof which);
  if constexpr (Io::reads)
    read_alternative(io, value, which);
  else
    std::visit([&](auto& one) { pass(io, one); }, value);
}

template <class Io, class Value>
void pass_sequence(Io& io, Value& value) {
  const auto size = pass_count(io, value.size());
  if constexpr (!Io::reads) {
    for (auto& one : value)
      pass(io, one);
  } else {
    value.clear();
    if constexpr (requires { value.reserve(1); })
      value.reserve(static_cast<std::size_t>(std::min(size, reserved_max)));
    for (std::uint64_t at = 0; at < size; ++at)
      pass(io, value.emplace_back());
  }
}

template <class Io, class Value>
void pass_chunked(Io& io, Value& value) {
  const auto size = pass_count(io, value.size());
  if constexpr (Io::reads)
    value = {};
  for (std::uint64_t at = 0; at < size; ++at) {
    if constexpr (Io::reads)
      value.push_back({});
    pass(io, value[static_cast<std::size_t>(at)]);
  }
}

template <class Io, class Value>
void pass_table(Io& io, Value& value) {
  const auto size = pass_count(io, value.size());
  if constexpr (!Io::reads) {
    for (auto& one : value)
      pass(io, one);
    return;
  } else {
    value.clear();
    if constexpr (requires { value.reserve(1); })
      value.reserve(static_cast<std::size_t>(std::min(size, reserved_max)));
    for (std::uint64_t at = 0; at < size; ++at) {
      typename Value::key_type key{};
      pass(io, key);
      if constexpr (map_like<Value>)
        pass(io, value[std::move(key)]);
      else
        value.insert(value.end(), std::move(key));
    }
    if (value.size() != size)
      throw unreadable{"a table has a key twice"};
  }
}

template <class Io, class Value>
void pass_atomic(Io& io, std::atomic<Value>& value) {
  auto plain = value.load(std::memory_order_relaxed);
  pass(io, plain);
  if constexpr (Io::reads)
    value.store(plain, std::memory_order_release);
}

} // namespace detail

template <class Io, class Value>
void pass(Io& io, Value& value) {
  using namespace detail;
  using type = std::remove_const_t<Value>;
  if constexpr (requires { snapshot_fields(io, value); })
    snapshot_fields(io, value);
  else if constexpr (is_plain<type>)
    io.raw(&value, sizeof value);
  else if constexpr (std::same_as<type, bool>) {
    const bool set = pass_flag(io, value);
    if constexpr (Io::reads)
      value = set;
  } else if constexpr (std::same_as<type, std::string>)
    pass_text(io, value);
  else if constexpr (is<type, std::optional>)
    pass_optional(io, value);
  else if constexpr (is<type, std::shared_ptr>)
    pass_pointer(io, value);
  else if constexpr (is<type, std::variant>)
    pass_variant(io, value);
  else if constexpr (is<type, std::atomic>)
    pass_atomic(io, value);
  else if constexpr (is<type, std::pair>) {
    pass(io, value.first);
    pass(io, value.second);
  } else if constexpr (is_array<type>) {
    for (auto& one : value)
      pass(io, one);
  } else if constexpr (is_sequence<type>)
    pass_sequence(io, value);
  else if constexpr (is_chunked<type>)
    pass_chunked(io, value);
  else if constexpr (map_like<type> || set_like<type>)
    pass_table(io, value);
  else {
    static_assert(std::is_aggregate_v<type>, "give it a snapshot_fields");
    boost::pfr::for_each_field(value, [&](auto& field) { pass(io, field); });
  }
}

/// For a `snapshot_fields`: these, in this order.
template <class Io, class... Fields>
void pass_all(Io& io, Fields&... fields) {
  (pass(io, fields), ...);
}

} // namespace usher::runtime::snapshot
