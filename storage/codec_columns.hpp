#pragma once

#include "actors/basics/ids.hpp"
#include "storage/cbor.hpp"
#include "storage/fields.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

// Columns: many entries of one size in one byte string, for events of very many fans. Numbers are
// big-endian.
namespace usher::storage {

[[nodiscard]] json column_of(const std::vector<std::uint8_t>& entries);  ///< 1 byte an entry
[[nodiscard]] json column_of(const std::vector<std::uint32_t>& entries); ///< 4 bytes an entry
[[nodiscard]] json column_of(const std::vector<std::uint64_t>& entries); ///< 8 bytes an entry
[[nodiscard]] json column_of(const std::vector<identity>& entries);      ///< 16 bytes an entry

/// A column of any length. What is not a byte string of whole entries is a fault.
[[nodiscard]] std::vector<std::uint32_t> u32_column(fields& in, const char* name);
[[nodiscard]] std::vector<std::uint64_t> u64_column(fields& in, const char* name);
[[nodiscard]] std::vector<identity> identity_column(fields& in, const char* name);

/// How long a column has to be, and the name of the field that says so.
struct as_many {
  std::size_t count;
  const char* as;
};

/// A column that is absent (and then empty) where nobody has an entry. Another length, also an
/// empty column that is there, is a fault.
[[nodiscard]] std::vector<std::uint8_t> optional_u8_column(fields& in, const char* name,
                                                           as_many wanted);
[[nodiscard]] std::vector<identity> optional_identity_column(fields& in, const char* name,
                                                             as_many wanted);

} // namespace usher::storage
