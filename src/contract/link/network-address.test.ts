import assert from "node:assert/strict";
import { test } from "node:test";
import { addressText, isLoopback, parseAddress } from "./network-address.ts";

test("[EXE-2] an address is HOST:PORT, with IPv6 in brackets", () => {
  const good: [string, string, number][] = [
    ["build-box.lan:7421", "build-box.lan", 7421],
    ["10.0.0.7:0", "10.0.0.7", 0],
    ["[fe80::1]:65535", "fe80::1", 65_535],
  ];
  for (const [text, host, port] of good) {
    const address = parseAddress(text);
    assert.deepEqual(address, { host, port });
    assert.equal(addressText({ host, port }), text);
  }
  const bad = ["", "host", "host:", ":1", "::1:7", "a b:1", "h:65536", "h:-1"];
  bad.push("user@host:1", "host/path:1", "http://host:1");
  for (const text of bad) assert.equal(parseAddress(text), null, text);
});

test("[EXE-4] loopback addresses are told from all others", () => {
  for (const host of ["127.0.0.1", "127.255.0.3", "::1", "localhost"])
    assert.ok(isLoopback(host), host);
  for (const host of ["128.0.0.1", "0.0.0.0", "::", "127.0.0.1.evil.org"])
    assert.ok(!isLoopback(host), host);
  assert.ok(!isLoopback("127.0.0.256"));
  assert.ok(!isLoopback("localhost.evil.org"));
});
