/** Status looks at the world, answers soon, and says how old what it tells is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { fakeWorkspaces } from "../../src/runtime/fixtures/fake-workspaces.ts";
import type { Workspaces } from "../../src/runtime/ports/executors.ts";
import { house, request, turnEnded, until } from "./house.ts";

/** Looks at it are counted, and may take for ever. */
class WatchedPlace extends FakePlace {
  looks = 0;
  frozen = false;
  override readonly workspaces: Workspaces = {
    ...fakeWorkspaces(this),
    look: (order) => {
      this.looks += 1;
      if (this.frozen) return new Promise(() => undefined);
      return fakeWorkspaces(this).look(order);
    },
  };
}

const resting = async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const place = new WatchedPlace();
  const runtime = await house(fakeExecutors(place), { now: () => now });
  const { id } = await runtime.operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  await until(runtime, id, turnEnded(1));
  await runtime.operations.pauseSession(id);
  place.looks = 0;
  const later = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1000);
  };
  return {
    place,
    runtime,
    later,
    status: () => runtime.operations.sessionStatus(id),
  };
};

test("[REC-32] [API-118] each status is a look of its own; those who ask at once share one", async () => {
  const { place, runtime, later, status } = await resting();
  const first = await status();
  later(1);
  place.workspaceKind = "missing";
  const second = await status();
  assert.deepEqual(
    [first.checked_at, first.is_resumable],
    ["2026-01-01T00:00:00.000Z", true],
  );
  assert.deepEqual(
    [second.checked_at, second.resume_reason],
    ["2026-01-01T00:00:01.000Z", "workspace_missing"],
  );
  assert.equal(place.looks, 2);
  await Promise.all([status(), status(), status()]);
  assert.equal(place.looks, 3);
  await runtime.close();
});

test("[REC-39] what was seen before the clock was set back is not told as seen a moment ago", async () => {
  const { place, runtime, later, status } = await resting();
  await status();
  place.frozen = true;
  later(-3600);
  assert.equal((await status()).checked_at, null);
  await runtime.close();
});

test("[REC-32] [API-118] [API-119] when agentctl does not answer, what was seen a moment ago is told with its time; after that, that nobody could look", async () => {
  const { place, runtime, later, status } = await resting();
  place.workspaceKind = "missing";
  await status();
  place.frozen = true;
  later(5);
  const old = await status();
  assert.deepEqual(
    [old.checked_at, old.resume_reason],
    ["2026-01-01T00:00:00.000Z", "workspace_missing"],
  );
  later(6);
  const unseen = await status();
  assert.deepEqual(
    [unseen.checked_at, unseen.resume_reason, unseen.troubles[0]?.code],
    [null, "agentctl_unavailable", "agentctl_unavailable"],
  );
  assert.deepEqual(
    [old.executor_status, unseen.executor_status],
    ["ready", "error"],
  );
  await runtime.close();
});

test("[API-119] [REC-32] no agentctl is started for the status of a session at rest: the journal answers", async () => {
  const places = [new WatchedPlace(11), new WatchedPlace(22)] as const;
  const executors = fakeExecutors(...places);
  let obtained = 0;
  const runtime = await house({
    ...executors,
    obtain: (executor, term) => {
      obtained += 1;
      return executors.obtain(executor, term);
    },
  });
  const { operations } = runtime;
  const { id } = await operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  await until(runtime, id, turnEnded(1));
  await operations.pauseSession(id);
  places[0].lose();
  await places[0].closed;
  obtained = 0;
  const status = await operations.sessionStatus(id);
  assert.deepEqual(
    [status.checked_at, status.is_resumable, status.resume_reason],
    [null, true, "paused"],
  );
  assert.deepEqual(
    [status.executor_status, status.troubles, obtained, places[1].looks],
    ["stopped", [], 0, 0],
  );
  await operations.resumeSession(id);
  assert.notEqual((await operations.sessionStatus(id)).checked_at, null);
  await runtime.close();
});
