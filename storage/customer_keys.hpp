#pragma once

#include "storage/data_directory.hpp"
#include "storage/secrets.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

// The keys of personal data, in `customer-keys/` of the data directory: files of 1024 slots, made
// in advance and never moved. A key is destroyed by writing zeros over its slot, which lies within
// one sector. Each key is wrapped (AES-256-GCM) by the master key. docs/log-format.md has the
// bytes, docs/personal-data.md says what destroying can and cannot do.
namespace usher::storage {

/// The name of the key's file, 14 random bytes ‖ its slot, 2 bytes, big-endian.
using key_id = std::array<std::uint8_t, 16>;

/// The slot was overwritten.
struct destroyed_key {};
/// There is no file of this name: the keys are of another server, or were not restored.
struct absent_key {};
using found_key = std::variant<secret_key, destroyed_key, absent_key, failure>;

class customer_keys {
public:
  static constexpr std::size_t keys_a_file = 1024;
  /// More are made on the thread as soon as fewer are left: a large sale orders about as many in
  /// the second in which everybody was let in.
  static constexpr std::size_t ready_least = 4 * keys_a_file;

  /// For a server: makes the directory if it is missing, checks that `master` is the key that it
  /// was made with (another is a failure that changes nothing), makes keys until some are ready,
  /// and starts the thread that makes more. `directory` has to be open for writing; its lock is
  /// held for as long as this object lives.
  [[nodiscard]] static std::variant<std::unique_ptr<customer_keys>, failure>
  open(const data_directory& directory, const secret_key& master);

  /// For reading beside a server or in a copy: makes nothing, `take` gives none, `destroy` fails. A
  /// directory that is missing has no keys.
  [[nodiscard]] static std::variant<std::unique_ptr<customer_keys>, failure>
  open_read_only(const data_directory& directory, const secret_key& master);

  ~customer_keys();
  customer_keys(const customer_keys&) = delete;
  customer_keys& operator=(const customer_keys&) = delete;

  struct fresh {
    key_id id;
    secret_key key;
  };
  /// A key that nobody has had, and that is durable; none if none is ready. Any thread; never waits
  /// for the disk.
  [[nodiscard]] std::optional<fresh> take();

  /// Why the thread could not make keys when it last tried; empty if it could.
  [[nodiscard]] std::string trouble() const;

  /// Any thread; reads one slot.
  [[nodiscard]] found_key find(const key_id& id) const;

  /// Notes them in the list of erased keys, then overwrites them; durable on return. How many there
  /// were: those that are destroyed already, or absent, do not count. What a failure or a crash
  /// left noted and not overwritten is done by the next call, or when the keys are opened. Any
  /// thread.
  [[nodiscard]] std::variant<std::size_t, failure> destroy(std::span<const key_id> ids);

private:
  customer_keys(std::filesystem::path path, const secret_key& master, bool writable);

  void run();
  [[nodiscard]] std::variant<std::vector<fresh>, failure> make_file() const;
  void keep(std::variant<std::vector<fresh>, failure> made);

  std::filesystem::path path_;
  secret_key master_;
  bool writable_;
  std::mutex destroying_;       ///< one call of destroy at a time, and of the next one
  std::vector<key_id> noted_{}; ///< noted, and perhaps not overwritten
  mutable std::mutex guard_;    ///< of the next three
  std::condition_variable wake_;
  std::vector<fresh> ready_;
  std::string trouble_;
  bool ending_ = false;
  std::thread thread_;
};

/// The ids in a list of erased keys (`ERASED`): 32 hex digits a line, a space, and 8 that check
/// them (docs/log-format.md). A last line that is cut off is no line; anything else that does not
/// fit is a failure. A file that is missing is empty.
[[nodiscard]] std::variant<std::vector<key_id>, failure>
read_erased_keys(const std::filesystem::path& file);

} // namespace usher::storage
