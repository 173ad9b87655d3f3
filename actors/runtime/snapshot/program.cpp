#include "actors/runtime/snapshot/program.hpp"

#include "storage/batch.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string_view>

namespace usher::runtime::snapshot {

namespace {

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

/// The build id in a segment of notes; empty if there is none.
std::string_view build_id_in(std::string_view notes) {
  constexpr std::string_view owner{"GNU", 4};
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const auto name = padded(note.n_namesz);
    const auto all = name + padded(note.n_descsz);
    if (all > notes.size())
      break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(0, note.n_namesz) == owner)
      return notes.substr(name, note.n_descsz);
    notes.remove_prefix(all);
  }
  return {};
}

/// Looks at the first object there is, which is the program itself.
int look(dl_phdr_info* object, std::size_t, void* found) {
  for (int at = 0; at < object->dlpi_phnum; ++at) {
    const auto& segment = object->dlpi_phdr[at];
    if (segment.p_type != PT_NOTE)
      continue;
    const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    auto& id = *static_cast<std::string_view*>(found);
    if (id = build_id_in({notes, segment.p_memsz}); !id.empty())
      break;
  }
  return 1;
}

} // namespace

std::optional<storage::digest> program_name() {
  std::string_view id;
  dl_iterate_phdr(look, &id);
  if (id.empty())
    return std::nullopt;
  return storage::chain_hasher{}.next(storage::digest{}, id);
}

} // namespace usher::runtime::snapshot
