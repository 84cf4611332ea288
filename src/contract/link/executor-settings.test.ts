import assert from "node:assert/strict";
import { test } from "node:test";
import { Config, configIssues } from "../api/config.ts";

const fingerprint = `sha256:${"0".repeat(64)}`;
const box = { kind: "remote", address: "box:1", token_file: "box.token" };

const issuesOf = (executors: object): string => {
  const { error } = Config.safeParse({ executors });
  return error === undefined ? "" : configIssues(error).join("\n");
};

test("[EXE-2] a host has an address, a fingerprint and a token file", () => {
  assert.equal(issuesOf({ "build-box.1": { ...box, fingerprint } }), "");
  assert.equal(Config.parse({}).remote_timeout_seconds, 300);
  for (const [executors, words] of [
    [{ "a b": { ...box, fingerprint } }, /letters, digits/],
    [{ box: { ...box, fingerprint, address: "box" } }, /HOST:PORT/],
    [{ box: { ...box, fingerprint, address: "box:0" } }, /HOST:PORT/],
    [{ box: { ...box, fingerprint: "sha256:AB" } }, /64 hex digits/],
    [{ box: { ...box, fingerprint, kind: "moon" } }, /executors\.box\.kind/],
    [{ box: { ...box, fingerprint, port: 1 } }, /executors\.box/],
  ] as const)
    assert.match(issuesOf(executors), words);
});

test("[SSH-1] a host of ssh has a destination that is no option, and paths that every shell reads alike", () => {
  const far = { kind: "ssh", destination: "ada@box" };
  for (const destination of [
    "box",
    "ada@box",
    "ada@::1",
    "box.example",
    "10.0.0.1",
  ])
    assert.equal(issuesOf({ far: { ...far, destination } }), "", destination);
  for (const directory of ["~/x", "/srv/with space", "/ü"])
    assert.equal(issuesOf({ far: { ...far, directory } }), "", directory);
  for (const destination of [
    "-oProxyCommand=x",
    "",
    "a b",
    "ada@-x",
    "$(x)",
    "a;b",
  ])
    assert.match(issuesOf({ far: { ...far, destination } }), /destination/);
  for (const directory of [
    "x",
    "~ada/x",
    "/a'b",
    "/a\nb",
    "/a\\b",
    "/",
    "/a:b",
    "/$ORIGIN",
  ])
    assert.match(issuesOf({ far: { ...far, directory } }), /directory/);
  assert.match(issuesOf({ far: { ...far, port: 0 } }), /port/);
  assert.match(issuesOf({ far: { ...far, token_file: "x" } }), /token_file/);
});

test("[EXE-4] a host without a fingerprint must be on this machine", () => {
  assert.match(issuesOf({ box }), /fingerprint: is needed/);
  assert.equal(issuesOf({ box: { ...box, address: "[::1]:7" } }), "");
});
