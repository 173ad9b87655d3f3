#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// Adds `backup` and `restore`. Parsing runs the one that is named, which writes to stdout (and
/// says on stderr why it cannot) and sets `exit_code`: 0 done, 1 a problem was found in what was
/// copied, 2 it cannot be done, or bad usage. `exit_code` must live until the line is parsed.
void add_backup_commands(CLI::App& root, int& exit_code);

/// `restore` alone, of which the above makes use.
void add_restore_command(CLI::App& root, int& exit_code);

} // namespace usher::config
