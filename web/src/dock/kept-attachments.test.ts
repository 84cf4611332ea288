import assert from "node:assert/strict";
import { test } from "node:test";
import { textAttachment } from "./attachments.ts";
import {
  KeptAttachments,
  type KeptBox,
  type KeptFacts,
  oldestBeyond,
} from "./kept-attachments.ts";
import { type Kept, NOTHING_KEPT } from "./kept.ts";

const memory = () => {
  const kept = new Map<string, { kept: unknown; facts: KeptFacts }>();
  const box: KeptBox = {
    read: async (name) => kept.get(name)?.kept,
    write: async (name, value, facts) =>
      void kept.set(name, { kept: structuredClone(value), facts }),
    remove: async (name) => void kept.delete(name),
    list: async () =>
      [...kept].map(([name, { facts }]) => ({ name, ...facts })),
  };
  return { kept, box };
};

const forbidden: KeptBox = {
  read: () => Promise.reject(new Error("forbidden")),
  write: () => Promise.reject(new Error("forbidden")),
  remove: () => Promise.reject(new Error("forbidden")),
  list: () => Promise.reject(new Error("forbidden")),
};

const some = (text = "hello"): Kept => ({
  ...NOTHING_KEPT,
  attachments: [textAttachment("1", "a.txt", text)],
});

test("[PAG-196] what is attached is kept, and gone when it is taken", async () => {
  const { kept, box } = memory();
  const attachments = new KeptAttachments(box, () => 1);
  await attachments.write("ses_1", some());
  assert.deepEqual(
    await new KeptAttachments(box, () => 2).read("ses_1"),
    some(),
  );
  await attachments.write("ses_1", NOTHING_KEPT);
  assert.equal(kept.size, 0);
  kept.set("ses_1", { kept: { odd: true }, facts: { at: 1, bytes: 1 } });
  assert.deepEqual(await attachments.read("ses_1"), NOTHING_KEPT);
});

test("[PAG-196] where the browser keeps nothing, it is held", async () => {
  const attachments = new KeptAttachments(forbidden, () => 1);
  await attachments.write("ses_1", some());
  assert.deepEqual(await attachments.read("ses_1"), some());
  await attachments.remove("ses_1");
  assert.deepEqual(await attachments.read("ses_1"), NOTHING_KEPT);
});

test("[PAG-196] the oldest go where there are too many, or too much", async () => {
  const old = { name: "old", at: 1, bytes: 20_000_000 };
  const newer = { name: "newer", at: 2, bytes: 20_000_000 };
  assert.deepEqual(oldestBeyond([old, newer], 10_000_000), []);
  assert.deepEqual(oldestBeyond([old, newer], 20_000_000), [old]);
  const { kept, box } = memory();
  let now = 0;
  const attachments = new KeptAttachments(box, () => ++now);
  for (let i = 0; i < 25; i++) await attachments.write(`ses_${i}`, some());
  assert.equal(kept.size, 20);
  assert.ok(kept.has("ses_24") && !kept.has("ses_4"));
});
