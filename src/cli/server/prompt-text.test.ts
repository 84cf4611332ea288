import assert from "node:assert/strict";
import { test } from "node:test";
import { promptText } from "./prompt-text.ts";
import { UsageError } from "../parsing/usage-error.ts";

const from = (bytes: Uint8Array) =>
  promptText({ stdin: () => Promise.resolve(bytes) }, "-");

test("standard input is taken as it is when it is text", async () => {
  assert.equal(await from(Buffer.from("größer\n")), "größer\n");
});

const wrong: [what: string, bytes: Uint8Array, words: RegExp][] = [
  ["bytes that are not UTF-8", Buffer.from([0x61, 0xff]), /not text in UTF-8/],
  ["nothing", Buffer.from(""), /^The prompt must not be empty\.$/],
  [
    "a NUL",
    Buffer.from("a\0b"),
    /^The prompt must not hold a NUL character\.$/,
  ],
];
for (const [what, bytes, words] of wrong)
  test(`${what} on standard input is wrong usage`, async () => {
    await assert.rejects(from(bytes), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, words);
      return true;
    });
  });

test("an empty prompt on the command line is wrong usage", async () => {
  const stdin = () => Promise.reject(new Error("not asked for"));
  await assert.rejects(promptText({ stdin }, ""), UsageError);
});
