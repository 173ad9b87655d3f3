#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace usher::config {

/// Adds `sandbox-gateway`. Parsing it runs the gateway until SIGTERM or SIGINT and sets
/// `exit_code`: 0 ended by a signal, 1 could not listen, 2 bad usage. Its first line on stdout,
/// flushed once it listens, is `usher sandbox-gateway: listening on http://HOST:PORT`. `exit_code`
/// must live until the line is parsed.
void add_sandbox_command(CLI::App& root, int& exit_code);

} // namespace usher::config
