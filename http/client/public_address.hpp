#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace usher::http::client {

/// Can it be reached from everywhere? Not so: this machine, private and shared networks, link-local
/// addresses (also where clouds keep their metadata), multicast, documentation, what is reserved;
/// and all of these as they are written in IPv6.
[[nodiscard]] bool is_public(const boost::asio::ip::address& which);

/// Those of them that are public.
[[nodiscard]] boost::asio::ip::tcp::resolver::results_type
public_ones(const boost::asio::ip::tcp::resolver::results_type& all);

} // namespace usher::http::client
