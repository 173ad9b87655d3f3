#pragma once

#include "storage/audit/findings.hpp"
#include "tests/storage/audit_script.hpp"

#include <string>
#include <vector>

// Logs with one fault each, by what they are about; audit_rules_test.cpp judges them.
namespace usher::storage::test {

struct fault_case {
  audit::fault what;
  std::string how;
  script log; ///< one line of it is marked as the faulty one
};

std::vector<fault_case> record_cases();    ///< what can be wrong with any record
std::vector<fault_case> desk_cases();      ///< seats, holds, orders
std::vector<fault_case> payment_cases();   ///< money that comes, and tickets
std::vector<fault_case> refund_cases();    ///< money that goes back
std::vector<fault_case> state_cases();     ///< the room's states and settings
std::vector<fault_case> draw_cases();      ///< the draw
std::vector<fault_case> queue_cases();     ///< who waits, and where
std::vector<fault_case> admission_cases(); ///< who is admitted, and how tickets end
std::vector<fault_case> gateway_cases();   ///< breakers

script gateways_as_allowed(); ///< what breakers may do, up to the edges: no fault

} // namespace usher::storage::test
