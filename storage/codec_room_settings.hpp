#pragma once

#include "actors/waiting_room/settings.hpp"
#include "storage/cbor.hpp"
#include "storage/fields.hpp"

// The settings of a waiting room, as a map.
namespace usher::storage {

[[nodiscard]] json settings_map(const waiting_room::settings& what);
[[nodiscard]] waiting_room::settings read_settings(fields& in);

} // namespace usher::storage
