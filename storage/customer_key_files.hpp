#pragma once

#include "storage/customer_keys.hpp"
#include "storage/sealing.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

// The files of storage/customer_keys: what stands in them, and what is done to one of them.
namespace usher::storage {

/// A file of keys is this text, filled with zeros to one slot, and then 1024 slots.
inline constexpr std::string_view key_file_begins = "usher-keys 1\n";
/// A wrapped key (nonce ‖ ciphertext ‖ tag, 60 bytes) and four zeros; all zeros: destroyed. No slot
/// crosses a sector's border, so overwriting one is done or not done.
inline constexpr std::size_t key_slot_size = 64;
inline constexpr std::size_t wrapped_key_size =
    seal_nonce_size + std::tuple_size_v<secret_key> + seal_tag_size;
inline constexpr std::size_t key_file_size = key_slot_size * (1 + customer_keys::keys_a_file);

/// Whether there is a directory of keys: `MASTER` tells.
[[nodiscard]] bool has_customer_keys(const std::filesystem::path& directory);

/// Fails if `master` is not the key that the directory was made with.
[[nodiscard]] std::optional<failure> check_master(const std::filesystem::path& directory,
                                                  const secret_key& master);
/// Binds an empty directory to `master`; one that has keys in it and no MASTER is refused.
[[nodiscard]] std::optional<failure> bind_master(const std::filesystem::path& directory,
                                                 const secret_key& master);

/// A new file of new keys, durable.
[[nodiscard]] std::variant<std::vector<customer_keys::fresh>, failure>
make_key_file(const std::filesystem::path& directory, const secret_key& master);

/// What `slot`, the bytes as they lie in `file`, is to `master`: never absent; damaged is a failure
/// that names the file and the slot.
[[nodiscard]] found_key key_in_slot(std::string_view slot, const std::filesystem::path& file,
                                    const secret_key& master, const key_id& id);

[[nodiscard]] found_key read_key_slot(const std::filesystem::path& directory,
                                      const secret_key& master, const key_id& id);

/// Adds to the list of erased keys; durable.
[[nodiscard]] std::optional<failure> note_erased_keys(const std::filesystem::path& directory,
                                                      std::span<const key_id> ids);

/// Overwrites the slots of these ids, durable. How many were not overwritten before; ids of files
/// that are not there do not count.
[[nodiscard]] std::variant<std::size_t, failure>
overwrite_keys(const std::filesystem::path& directory, std::vector<key_id> ids);

/// Both, for those that are not in the list yet.
[[nodiscard]] std::variant<std::size_t, failure> erase_keys(const std::filesystem::path& directory,
                                                            std::vector<key_id> ids);

} // namespace usher::storage
