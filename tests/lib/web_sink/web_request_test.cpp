// SPDX-License-Identifier: MPL-2.0
#include "lib/web_sink/web_request.hpp"

#include "lib/system/process.hpp"
#include "tests/catch.hpp"

using namespace ositrace;
using web_sink::answer_to;

namespace {

/// 101: the WebSocket is opened.
unsigned status_of(const net::HttpRequest& request, std::string_view named = "127.0.0.1")
{
    const auto answer = answer_to(request, named);
    return answer ? answer->status : 101;
}

unsigned status_of_host(std::string_view host, std::string_view named = "127.0.0.1")
{
    return status_of({.method = "GET", .target = "/", .host = host}, named);
}

}  // namespace

TEST_CASE("the page is at /, its WebSocket at /frames, and nothing else")
{
    const auto status = [](std::string_view method, std::string_view target, bool is_upgrade) {
        return status_of(
            {.method = method, .target = target, .host = "localhost:8080", .origin = {}, .is_upgrade = is_upgrade});
    };
    CHECK(status("GET", "/", false) == 200);
    CHECK(status("GET", "/?x", false) == 200);
    CHECK(status("GET", "/frames", true) == 101);
    CHECK(status("GET", "/frames", false) == 404);
    CHECK(status("GET", "/", true) == 404);
    CHECK(status("HEAD", "/", false) == 405);
    for (const auto* const path : {"", "*", "//", "/index.html", "/frames/", "/../frames", "http://localhost:8080/"})
        for (const bool is_upgrade : {false, true}) CHECK(status("GET", path, is_upgrade) == 404);
}

TEST_CASE("a page of another site can neither read the page nor open its WebSocket")
{
    for (const auto* const host : {"localhost", "LocalHost:8080", "127.0.0.1:8080", "10.0.0.7", "[::1]:8080", "[::1]"})
        CHECK(status_of_host(host) == 200);
    CHECK(status_of_host(machine_name() + ":8080") == 200);
    CHECK(status_of_host("bench.example:8080", "bench.example") == 200);
    for (const auto* const host :
         {"", ":8080", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "*",
          "localhost:", "localhost:80808080", "localhost:8a", "[::1", "::1", "localhost;script-src *",
          "localhost\"><script>", "127.0.0.1:80 ", "a@localhost", "[fe80::1%eth0]"})
        CHECK(status_of_host(host, "*") == (std::string_view(host) == "localhost:" ? 200 : 421));

    const auto of_origin = [](std::string_view origin) {
        return status_of(
            {.method = "GET", .target = "/frames", .host = "localhost:8080", .origin = origin, .is_upgrade = true});
    };
    CHECK(of_origin("") == 101);  // no browser
    CHECK(of_origin("http://localhost:8080") == 101);
    for (const auto* const origin : {"null", "http://localhost", "http://localhost:8081", "https://localhost:8080",
                                     "http://evil.example:8080", "http://localhost:8080.evil.example"})
        CHECK(of_origin(origin) == 403);
}

TEST_CASE("the policy of the page names the host of the request")
{
    const auto answer = answer_to({.method = "GET", .target = "/", .host = "10.0.0.7:8080"}, "*");
    REQUIRE(answer);
    CHECK(answer->body->find("connect-src 'self' ws://10.0.0.7:8080;") != std::string::npos);
    CHECK(answer->fields.find("frame-ancestors 'none'") != std::string::npos);
}
