import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStore } from "../../../store/memory.ts";
import { agreementOperations } from "./agreements.ts";

void test("[API-174] of many who set a value at once the first is answered to all, and it never changes", async () => {
  const store = memoryStore();
  const term = await store.claim();
  // Nothing but the store is shared: each of them might be another server's.
  const callers = ["one", "two", "", "three"].map((value) => ({
    value,
    ...agreementOperations({ store, term }),
  }));
  const { agree, showAgreement } = agreementOperations({ store, term });
  assert.deepEqual(await showAgreement("a"), { name: "a", value: null });
  const answers = await Promise.all(
    callers.map((caller) => caller.agree("a", caller.value)),
  );
  assert.deepEqual(
    new Set(answers.map(({ value }) => value)),
    new Set(["one"]),
  );
  assert.deepEqual(await agree("b", ""), { name: "b", value: "" });
  assert.deepEqual(await showAgreement("b"), { name: "b", value: "" });
  assert.deepEqual(await showAgreement("a"), { name: "a", value: "one" });
});
