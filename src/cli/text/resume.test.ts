import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resume } from "../../contract/agent/resume.ts";
import { resumeWords } from "./resume.ts";

const injected = (lost: string | null): Resume => ({
  path: "fast",
  strategy: "injected",
  grade: "injected",
  verified: false,
  workspace: null,
  lost,
  took_ms: 7,
});

test("[API-156] a resume without a conversation does not say that a history is given", () => {
  assert.equal(
    resumeWords(injected(null)),
    "injected: a new agent session begins, without a conversation to give it, took 7 ms",
  );
  assert.equal(
    resumeWords(injected("The agent's own memory of 1 turn is lost.")),
    "injected: the history is given to a new agent session, took 7 ms\nThe agent's own memory of 1 turn is lost.",
  );
});
