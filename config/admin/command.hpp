#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// Adds `admin` with its subcommands. Parsing runs the one that is named, which writes to stdout
/// (and says on stderr why it cannot) and sets `exit_code`: 0 done, 1 faults or refused, 2 cannot
/// read or reach, or bad usage. `exit_code` must live until the line is parsed.
void add_admin_commands(CLI::App& root, int& exit_code);

} // namespace usher::config
