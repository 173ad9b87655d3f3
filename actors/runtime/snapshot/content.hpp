#pragma once

#include "actors/runtime/recovered.hpp"
#include "actors/runtime/snapshot/io.hpp"

#include <string>
#include <variant>

// Everything that the log tells, as bytes that only the program that wrote them can read.
namespace usher::runtime::snapshot {

/// Changes nothing of `world`, which no other thread may use meanwhile.
void write(writer& io, recovered& world);

/// What was written, or why it cannot be read. Bytes that no writer wrote do no harm, but what is
/// made of them is worth nothing: check them first.
[[nodiscard]] std::variant<recovered, storage::failure> read(reader& io);

} // namespace usher::runtime::snapshot
