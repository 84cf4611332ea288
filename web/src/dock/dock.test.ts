import assert from "node:assert/strict";
import { test } from "node:test";
import { fileAttachment } from "./file-attachment.ts";
import { PermissionId } from "../../../src/contract/base/id.ts";
import type { Permission } from "../../../src/contract/agent/permission.ts";
import {
  contentOf,
  isBigPaste,
  sendRefusal,
  textAttachment,
} from "./attachments.ts";
import {
  answersOf,
  askedText,
  askWords,
  shortenedWords,
} from "./permission-words.ts";
import { sends, unsent } from "./prompt-keys.ts";

const tool = {
  id: "1",
  kind: "execute",
  title: "Shell",
  command: "docker compose up -d minio",
  paths: [],
  diff: null,
  input: null,
};
const permission = (change: Partial<Permission> = {}): Permission => ({
  id: PermissionId.parse("per_1_2048"),
  turn: 1,
  title: "Shell",
  tool_kind: "execute",
  tool,
  options: [],
  state: "pending",
  ...change,
});

test("[PAG-90] a question says what is asked for, and shows it whole", () => {
  assert.equal(
    askWords(permission(), "Claude Code"),
    "Claude Code asks to run a command",
  );
  assert.equal(askedText(permission()), "docker compose up -d minio");
  const long = "x".repeat(100_000);
  assert.equal(
    askedText(permission({ tool: { ...tool, command: long } })),
    long,
  );
  assert.equal(
    shortenedWords(permission({ tool: { ...tool, shortened: ["command"] } })),
    "Only the beginning of the command is shown: it is very long.",
  );
  assert.equal(
    askWords(
      permission({ tool: { ...tool, kind: "other" }, title: "Do\n\nit" }),
      "Demo",
    ),
    "Demo asks: Do it",
  );
  const plain = permission({ tool_kind: null, title: "rm -rf build" });
  delete plain.tool;
  assert.equal(askWords(plain, "Demo"), "Demo asks for your permission");
  assert.equal(askedText(plain), "rm -rf build");
});

test("[PAG-90] answers are ordered and named by their kind, never by their id", () => {
  const options = [
    { id: "allow", name: "No", kind: "reject_once" },
    { id: "x", name: "Yes, always", kind: "allow_always" },
    { id: "reject", name: "Yes", kind: "allow_once" },
    { id: "y", name: "Ask my boss", kind: "ask_boss" },
    { id: "z", name: "Never", kind: "reject_always" },
  ];
  assert.deepEqual(
    answersOf(options).map(({ optionId, label, key }) => [
      optionId,
      label,
      key,
    ]),
    [
      ["reject", "Allow", "1"],
      ["x", "Always allow", "2"],
      ["allow", "Reject", "3"],
      ["z", "Always reject", "4"],
      ["y", "Ask my boss", null],
    ],
  );
  assert.deepEqual(
    answersOf(options)
      .filter(({ isPrimary }) => isPrimary)
      .map(({ optionId }) => optionId),
    ["reject"],
  );
});

test("[PAG-90] two answers of one kind keep the names that the agent gave them", () => {
  const options = ["this directory", "everywhere"].map((name, at) => ({
    id: String(at),
    name,
    kind: "allow_always",
  }));
  assert.deepEqual(
    answersOf(options).map(({ label, isPrimary }) => [label, isPrimary]),
    [
      ["this directory", false],
      ["everywhere", false],
    ],
  );
});

test("[PAG-92] Enter sends at a keyboard and breaks the line on a phone", () => {
  const enter = {
    key: "Enter",
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    nativeEvent: { isComposing: false },
  };
  assert.equal(sends(enter, false), true);
  assert.equal(sends({ ...enter, key: "a" }, false), false);
  assert.equal(sends({ ...enter, shiftKey: true }, false), false);
  assert.equal(sends(enter, true), false);
  assert.equal(sends({ ...enter, ctrlKey: true }, true), true);
  assert.equal(sends({ ...enter, metaKey: true }, true), true);
  const composing = { ...enter, nativeEvent: { isComposing: true } };
  assert.equal(sends(composing, false), false);
  assert.equal(sends({ ...composing, ctrlKey: true }, false), false);
});

const file = (
  name: string,
  type: string,
  content: Uint8Array<ArrayBuffer>,
) => ({
  name,
  type,
  size: content.length,
  arrayBuffer: () => Promise.resolve(content.buffer),
});

test("[PAG-93] images and texts are attached; what is neither, or too large, is refused in words", async () => {
  const png = await fileAttachment(
    "1",
    file("a.png", "image/png", new Uint8Array([1, 2, 3])),
  );
  assert.deepEqual("block" in png && png.block, {
    type: "image",
    mime_type: "image/png",
    data: "AQID",
  });
  const text = await fileAttachment(
    "2",
    file("ü.log", "", new TextEncoder().encode("a\nb")),
  );
  assert.deepEqual("block" in text && text.block, {
    type: "resource",
    uri: "attachment:///%C3%BC.log",
    mime_type: "text/plain",
    text: "a\nb",
  });
  for (const refused of [
    file("a.svg", "image/svg+xml", new Uint8Array([0, 1])),
    file("a.bin", "", new Uint8Array([0xff, 0xfe])),
    { ...file("a.png", "image/png", new Uint8Array(1)), size: 9_000_000 },
  ])
    assert.ok("refusal" in (await fileAttachment("3", refused)));
});

test("[PAG-93] big pastes become attachments, and a prompt that is too large is not sent", () => {
  assert.equal(isBigPaste("a line"), false);
  assert.equal(isBigPaste("a".repeat(8_001)), true);
  assert.equal(isBigPaste("\n".repeat(200)), true);
  const attachment = textAttachment("1", "pasted.txt", "a".repeat(9_000_000));
  assert.match(sendRefusal("hello", [attachment]) ?? "", /at most 8\.4 MB/);
  assert.equal(sendRefusal("hello", []), null);
  assert.deepEqual(contentOf(" \n", []), []);
});

test("[PAG-38] what was typed behind a prompt while it was sent stays without it", () => {
  assert.equal(unsent("write a test", "write a test"), "");
  assert.equal(unsent("write a testand run it", "write a test"), "and run it");
  assert.equal(unsent("something else", "write a test"), "something else");
});
