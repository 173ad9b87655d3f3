#include "storage/customer_keys.hpp"

#include "storage/customer_key_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

namespace usher::storage {

namespace {

/// Between two tries to make keys while they fail.
constexpr std::chrono::seconds again_after{1};

std::optional<failure> make_directory(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0)
    return errno == EEXIST ? std::nullopt : std::optional{system_failure("make", path)};
  return sync_directory(path.parent_path());
}

} // namespace

customer_keys::customer_keys(std::filesystem::path path, const secret_key& master, bool writable)
    : path_{std::move(path)}, master_{master}, writable_{writable} {}

std::variant<std::unique_ptr<customer_keys>, failure>
customer_keys::open(const data_directory& directory, const secret_key& master) {
  const auto path = directory.customer_keys();
  if (!directory.writable())
    return failure{directory.root().string() + " was opened for reading"};
  if (auto failed = make_directory(path))
    return std::move(*failed);
  if (auto failed =
          has_customer_keys(path) ? check_master(path, master) : bind_master(path, master))
    return std::move(*failed);
  std::unique_ptr<customer_keys> made{new customer_keys{path, master, true}};
  // What a crash left noted and not overwritten, or what was noted since an old copy was made.
  auto erased = read_erased_keys(path / "ERASED");
  if (auto* failed = std::get_if<failure>(&erased))
    return std::move(*failed);
  made->noted_ = std::get<std::vector<key_id>>(std::move(erased));
  if (const auto done = made->destroy({}); std::holds_alternative<failure>(done))
    return std::get<failure>(done);
  auto first = made->make_file();
  if (auto* failed = std::get_if<failure>(&first))
    return std::move(*failed);
  made->keep(std::move(first));
  made->thread_ = std::thread{[keys = made.get()] { keys->run(); }};
  return made;
}

std::variant<std::unique_ptr<customer_keys>, failure>
customer_keys::open_read_only(const data_directory& directory, const secret_key& master) {
  const auto path = directory.customer_keys();
  if (has_customer_keys(path))
    if (auto failed = check_master(path, master))
      return std::move(*failed);
  return std::unique_ptr<customer_keys>{new customer_keys{path, master, false}};
}

customer_keys::~customer_keys() {
  {
    const std::lock_guard lock{guard_};
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void customer_keys::run() {
  std::unique_lock lock{guard_};
  while (true) {
    wake_.wait(lock, [this] { return ending_ || ready_.size() < ready_least; });
    if (ending_)
      return;
    lock.unlock();
    auto made = make_file();
    lock.lock();
    keep(std::move(made));
    if (!trouble_.empty())
      wake_.wait_for(lock, again_after, [this] { return ending_; });
  }
}

std::variant<std::vector<customer_keys::fresh>, failure> customer_keys::make_file() const {
  return make_key_file(path_, master_);
}

void customer_keys::keep(std::variant<std::vector<fresh>, failure> made) {
  if (auto* failed = std::get_if<failure>(&made)) {
    trouble_ = failed->what;
    return;
  }
  auto& keys = std::get<std::vector<fresh>>(made);
  std::ranges::move(keys, std::back_inserter(ready_));
  trouble_.clear();
}

std::optional<customer_keys::fresh> customer_keys::take() {
  const std::lock_guard lock{guard_};
  if (ready_.empty())
    return std::nullopt;
  const auto taken = ready_.back();
  ready_.back().key.fill(0);
  ready_.pop_back();
  if (ready_.size() < ready_least)
    wake_.notify_one();
  return taken;
}

std::string customer_keys::trouble() const {
  const std::lock_guard lock{guard_};
  return trouble_;
}

found_key customer_keys::find(const key_id& id) const {
  return read_key_slot(path_, master_, id);
}

std::variant<std::size_t, failure> customer_keys::destroy(std::span<const key_id> ids) {
  if (!writable_)
    return failure{path_.string() + " was opened for reading"};
  const std::lock_guard one_at_a_time{destroying_};
  std::vector<key_id> there;
  for (const auto& id : std::set<key_id>{ids.begin(), ids.end()})
    if (const auto found = find(id);
        !std::holds_alternative<absent_key>(found) && !std::holds_alternative<destroyed_key>(found))
      there.push_back(id);
  if (!there.empty())
    if (auto failed = note_erased_keys(path_, there))
      return std::move(*failed);
  noted_.insert(noted_.end(), there.begin(), there.end());
  auto done = overwrite_keys(path_, noted_);
  if (std::holds_alternative<std::size_t>(done))
    noted_.clear();
  return done;
}

} // namespace usher::storage
