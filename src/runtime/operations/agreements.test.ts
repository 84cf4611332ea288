import assert from "node:assert/strict";
import { test } from "node:test";
import type { Receipt } from "../../journal/journal-store.ts";
import { Lanes } from "../../kit/time/lanes.ts";
import { agreementOperations } from "./agreements.ts";

void test("[RAC-10] of many who set a value at once the first is answered to all, and it never changes", async () => {
  const stored: Receipt[] = [];
  const receipts = {
    find: async (scope: string, key: string) =>
      stored.find((each) => each.scope === scope && each.key === key) ?? null,
    put: async (receipt: Receipt) => void stored.push(receipt),
  };
  const { agree, showAgreement } = agreementOperations({
    receipts,
    lanes: new Lanes(),
  });
  assert.deepEqual(await showAgreement("a"), { name: "a", value: null });
  const answers = await Promise.all(
    ["one", "two", "", "three"].map((value) => agree("a", value)),
  );
  assert.deepEqual(
    new Set(answers.map(({ value }) => value)),
    new Set(["one"]),
  );
  assert.deepEqual(await agree("b", ""), { name: "b", value: "" });
  assert.deepEqual(await showAgreement("b"), { name: "b", value: "" });
  assert.deepEqual(await showAgreement("a"), { name: "a", value: "one" });
  assert.equal(stored.length, 2);
});
