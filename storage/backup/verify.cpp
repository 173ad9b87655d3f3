#include "storage/audit/auditor.hpp"
#include "storage/backup/make.hpp"

namespace usher::storage::backup {

std::variant<verified, failure> verify(const std::filesystem::path& directory,
                                       const on_progress& report) {
  constexpr position_t report_every = 1 << 12;
  const auto opened = data_directory::open_read_only(directory);
  if (const auto* failed = std::get_if<failure>(&opened))
    return *failed;
  const auto read = rocksdb_log::open_read_only(std::get<data_directory>(opened));
  if (const auto* failed = std::get_if<failure>(&read))
    return *failed;
  const auto& log = *std::get<std::unique_ptr<rocksdb_log>>(read);
  if (auto failed = log.verify_files())
    return std::move(*failed);
  const verified end{log.head(), 0};
  audit::auditor auditor{0};
  bool given_up = false;
  auto broken = log.replay(1, [&](const stored_record& next) {
    auditor.take(next);
    if (next.position % report_every == 0)
      given_up = report && !report({step::verify, next.position, end.head.position});
    return !given_up;
  });
  if (broken)
    return std::move(*broken);
  if (given_up)
    return failure{"it was given up"};
  auditor.finish();
  return verified{end.head, auditor.found().total()};
}

} // namespace usher::storage::backup
