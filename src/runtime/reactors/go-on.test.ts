import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { Later } from "../../kit/time/later.ts";
import { memoryStore } from "../../store/memory.ts";
import { goOn } from "./go-on.ts";

test("[REC-94] a continuation that is refused is over, and so is one whose session is gone or another server's", async (t) => {
  for (const code of [
    "wrong_state",
    "session_not_found",
    "superseded",
  ] as const)
    assert.deepEqual(await continued(t, [code]), { tries: 1, told: [] });
});

test("[REC-94] what passes is tried again until it goes well", async (t) => {
  const codes = ["storage_full", "moved_on", "timed_out"] as const;
  assert.deepEqual(await continued(t, codes), { tries: 4, told: [] });
});

test("[REC-94] a fault is told, also one that has a code", async (t) => {
  const { tries, told } = await continued(t, ["internal"]);
  assert.deepEqual([tries, told], [1, ["could not continue a turn"]]);
});

/** What comes of a continuation that fails so, once each. */
const continued = async (t: TestContext, codes: readonly ProblemCode[]) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const failures = [...codes];
  const told: string[] = [];
  let tries = 0;
  const exclusively = async (): Promise<never> => {
    tries += 1;
    const code = failures.shift();
    if (code !== undefined) throw new RepriseError(code, "It failed.");
    return new Promise(() => undefined);
  };
  const later = new Later();
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_: object, words: string) => void told.push(words),
  };
  const deps = {
    engine: { exclusively },
    store: memoryStore(),
    ids,
    later,
    log,
  };
  await goOn(deps, SessionId.parse(newId("ses")), {
    kind: "continue",
    prompt_id: ids.prompt(),
    pause_ms: 5000,
  });
  for (let n = 0; n < 10; n += 1) {
    t.mock.timers.tick(5000);
    await turnOfTheLoop();
  }
  t.mock.timers.reset();
  return { tries, told };
};

const newId = (prefix: string): string => `${prefix}_${ulid(0)}`;

const ids = {
  session: () => SessionId.parse(newId("ses")),
  task: () => TaskId.parse(newId("tsk")),
  attempt: () => AttemptId.parse(newId("att")),
  prompt: () => PromptId.parse(newId("prm")),
  execution: () => ExecutionId.parse(newId("exe")),
  command: () => CommandId.parse(newId("cmd")),
};
