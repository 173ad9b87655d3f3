#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// Adds `audit` with its subcommands. Parsing runs the one that is named, which writes to stdout
/// (and says on stderr why it cannot) and sets `exit_code`: 0 clean, 1 violations or damage found,
/// 2 cannot read. `exit_code` must live until the line is parsed.
void add_audit_commands(CLI::App& root, int& exit_code);

} // namespace usher::config
