import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptId, SessionId } from "../../contract/base/id.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import { Lanes } from "../../kit/time/lanes.ts";
import { memoryStore } from "../../store/memory.ts";
import { findOperations } from "./find-by-key.ts";

const promptOf = (n: number): Prompt => {
  const number = String(n).padStart(26, "0");
  return {
    id: PromptId.parse(`prm_${number}`),
    session_id: SessionId.parse(`ses_${number}`),
    turn: 1,
    state: "done",
    text: "go",
  };
};

void test("[API-170] all prompts of a key are found, page by page, however much else was asked for with it", async () => {
  const store = memoryStore();
  const term = await store.claim();
  const put = (scope: string, answer: string): Promise<void> =>
    store.putReceipt(term, { scope, key: "k", request: "", answer });
  const prompts = Array.from({ length: 150 }, (_, n) => promptOf(n));
  // Scopes that come before those of sessions, and an answer that was not given yet.
  for (let n = 0; n < 150; n += 1) await put(`other ${n}`, "{}");
  await put("ses_", "draft null");
  for (const prompt of prompts)
    await put(prompt.session_id, JSON.stringify(prompt));

  const known = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const { findPrompts } = findOperations({
    store: {
      sessions: store.sessions,
      receiptsOf: store.receiptsOf,
      prompt: async (_, id) => known.get(id) ?? null,
    },
    receipts: { find: async () => null, put: async () => undefined },
    lanes: new Lanes(),
    show: () => Promise.reject(new Error("nothing is shown")),
  });
  const first = await findPrompts("k");
  assert.deepEqual(first.prompts, prompts.slice(0, 100));
  assert.ok(first.next !== null);
  assert.deepEqual(await findPrompts("k", first.next), {
    prompts: prompts.slice(100),
    next: null,
  });
  assert.deepEqual(await findPrompts("x"), { prompts: [], next: null });
});
