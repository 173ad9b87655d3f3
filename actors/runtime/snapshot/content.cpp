#include "actors/runtime/snapshot/content.hpp"

#include "actors/runtime/snapshot/fields.hpp"

namespace usher::runtime::snapshot {

void write(writer& io, recovered& world) {
  pass(io, world);
  io.flush();
}

std::variant<recovered, storage::failure> read(reader& io) {
  try {
    recovered world;
    pass(io, world);
    if (io.left() > 0)
      return storage::failure{"it has more in it than it should"};
    return world;
  } catch (const unreadable& trouble) {
    return storage::failure{trouble.what()};
  }
}

} // namespace usher::runtime::snapshot
