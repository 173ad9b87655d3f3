#pragma once

#include "storage/customer_keys.hpp"
#include "storage/secrets.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Personal data in events: sealed where it comes in (http/api), opened where it has to be read, and
// opaque to everybody between. What is written has a key of its own (storage/customer_keys), so
// destroying the key erases it, wherever copies of the log may lie:
//
//     1 byte version (2) ‖ key id, 16 bytes ‖ nonce, 12 bytes ‖ ciphertext ‖ tag, 16 bytes
//
// Older logs have fields of version 1 (storage/sealing), which all have one key: they stay
// readable.
namespace usher::storage {

struct opened_data {
  std::string plain;
};
/// Its key was destroyed: nobody will ever read it.
struct erased_data {};
/// Damaged, not ours, sealed for another place, or its key is not here. The text is for operators
/// and tells nothing of what is sealed.
struct unreadable_data {
  std::string why;
};
using opening = std::variant<opened_data, erased_data, unreadable_data>;

/// Opens what was sealed with the same `associated` (the bytes of an order's or a payment's id).
/// From any thread; reads a few bytes from disk, which are mostly cached.
using opener = std::function<opening(std::string_view sealed, std::string_view associated)>;

/// Fields of version 1 alone, with their one key.
[[nodiscard]] opener opener_with(const secret_key& shared);

/// The id of the key that a field of version 2 needs; none for any other text.
[[nodiscard]] std::optional<key_id> key_of_sealed(std::string_view sealed);

/// No key is ready: they are made on a thread of its own, which is behind. To be asked again soon.
struct no_key_ready {
  std::string
      why; ///< why none could be made lately, for operators; empty: there were too many calls
};

/// What the server seals and opens with. All members are thread-safe.
class personal_data {
public:
  /// `shared`: the key of version 1, if there is one. `keys` is not null.
  personal_data(std::optional<secret_key> shared, std::unique_ptr<customer_keys> keys)
      : shared_{shared}, keys_{std::move(keys)} {}

  /// With a key of its own, which is durable already. Never waits for the disk.
  [[nodiscard]] std::variant<std::string, no_key_ready, failure> seal(std::string_view plain,
                                                                      std::string_view associated);

  [[nodiscard]] opening open(std::string_view sealed, std::string_view associated) const;

  /// This object has to outlive what is given.
  [[nodiscard]] storage::opener opener() const {
    return [this](std::string_view sealed, std::string_view associated) {
      return open(sealed, associated);
    };
  }

  [[nodiscard]] customer_keys& keys() { return *keys_; }

private:
  std::optional<secret_key> shared_;
  std::unique_ptr<customer_keys> keys_;
};

/// For a program that only reads, beside a server or in a copy: with the keys that are in the
/// directory, and `master`, or `secrets/master` if it is none. Nothing is made, and what has no key
/// here is unreadable. Fails if the master key is another, or none is there for keys that are.
[[nodiscard]] std::variant<std::unique_ptr<personal_data>, failure>
read_personal_data(const data_directory& directory, std::optional<secret_key> master);

} // namespace usher::storage
