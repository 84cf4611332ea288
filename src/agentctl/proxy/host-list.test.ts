import assert from "node:assert/strict";
import { test } from "node:test";
import { SandboxField } from "../../contract/agent/sandbox.ts";
import { destinationOf, isPublic, verdictOn } from "./host-list.ts";

test("[SBX-20] a list of hosts is strict, and belongs to the network list", () => {
  const fits = (hosts: unknown, network = "list") =>
    SandboxField.safeParse({ network, hosts }).success;
  for (const host of [
    "example.com",
    "*.example.com",
    "API.example.com",
    "example.com:8443",
    "127.0.0.1:80",
    "[::1]:8080",
    "localhost",
  ])
    assert.ok(fits([host]), host);
  for (const host of [
    "",
    "*",
    "a b",
    "http://example.com",
    "example.com/x",
    "*.*.com",
    "exa*mple.com",
    "-x.com",
    "x".repeat(300),
    "example.com:",
    1,
  ])
    assert.ok(!fits([host]), String(host));
  assert.ok(!fits([]) && !fits(undefined));
  assert.ok(!fits(["example.com"], "on") && !fits(["example.com"], "off"));
  assert.ok(!fits(Array.from({ length: 101 }, () => "example.com")));
});

test("[SBX-20] a name is let through as it is named, and at the ports of HTTP and HTTPS unless another one is", () => {
  const hosts = [
    "example.com",
    "*.wide.org",
    "ports.org:8443",
    "127.0.0.1:9000",
    "[::1]",
    "localhost",
  ];
  const verdict = (authority: string) => {
    const destination = destinationOf(authority);
    return destination === null ? null : verdictOn(hosts, destination);
  };
  const expected = {
    "example.com:443": "public",
    "EXAMPLE.com.:80": "public",
    "example.com:22": "refused",
    "evil-example.com:443": "refused",
    "example.com.evil.org:443": "refused",
    "a.wide.org:443": "public",
    "a.b.wide.org:443": "public",
    "wide.org:443": "refused",
    "ports.org:8443": "public",
    "ports.org:443": "refused",
    "127.0.0.1:9000": "explicit",
    "127.0.0.1:80": "refused",
    "2130706433:9000": "refused",
    "[::1]:443": "explicit",
    "localhost:80": "explicit",
    "": null,
    "example.com": null,
    "example.com:99999": null,
    "a:b:443": null,
  };
  for (const [authority, wanted] of Object.entries(expected))
    assert.equal(verdict(authority), wanted, authority);
});

test("[SBX-21] addresses of private networks, of this machine and of links are not public", () => {
  for (const address of [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "nothing",
  ])
    assert.ok(!isPublic(address), address);
  for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"])
    assert.ok(isPublic(address), address);
});
