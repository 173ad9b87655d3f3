#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/desk.hpp"

// What a test or a person says to the gateway, and asks it: /control, /ledger, /pay and /.
namespace usher::sandbox {

/// `asked.path` is the whole path.
delivery answer_control(desk& at, const call& asked);

} // namespace usher::sandbox
