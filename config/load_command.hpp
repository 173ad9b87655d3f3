#pragma once

namespace CLI {
class App;
}

namespace usher::config {

/// `usher load`: fans by the thousand, against a running server. See docs/load.md.
void add_load_command(CLI::App& root, int& exit_code);

} // namespace usher::config
