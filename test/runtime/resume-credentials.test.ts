/** A start that fails with the key that a waiting prompt was sent with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, turnEnded, until } from "./house.ts";

/** Agents come up with one key only. */
class ParticularPlace extends FakePlace {
  readonly keys: (string | undefined)[] = [];

  override start: FakePlace["start"] = async (order) => {
    const key = order.env["KEY"];
    this.keys.push(key);
    if (key !== "good") throw new RepriseError("internal", "It wants a login.");
    return FakePlace.prototype.start.call(this, order);
  };
}

for (const isRestarted of [false, true])
  test(`[SES-61] after a start that failed, who resumes with another key answers for what waits (server restarted: ${isRestarted})`, async () => {
    const store = memoryStore();
    const place = new ParticularPlace();
    const executors = fakeExecutors(place);
    const first = await house(executors, { store });
    const { id } = await first.operations.createSession(
      request({ prompt: "a", caller_env: { KEY: "bad" } }),
    );
    const failed = first.operations.resumeSession(id);
    await assert.rejects(failed, { code: "resume_failed" });
    if (isRestarted) await first.close();
    const runtime = isRestarted ? await house(executors, { store }) : first;
    const caller_env = { KEY: "good" };
    await runtime.operations.resumeSession(id, { caller_env });
    await until(runtime, id, turnEnded(1));
    assert.ok(place.keys.slice(0, -1).every((key) => key === "bad"));
    assert.equal(place.keys.at(-1), "good");
    await runtime.close();
  });
