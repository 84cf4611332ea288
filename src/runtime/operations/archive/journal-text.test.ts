import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { journalText } from "./journal-text.ts";

const written = (maxBytes: number) =>
  text(
    Readable.from(
      journalText(Readable.from([{ seq: 1 }, { seq: 2 }]), maxBytes),
    ),
  );

test("[CPT-13] a journal that no import would take is not exported", async () => {
  assert.equal(await written(20), '{"seq":1}\n{"seq":2}\n');
  await assert.rejects(written(19), { code: "not_supported" });
});
