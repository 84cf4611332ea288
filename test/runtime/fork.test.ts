import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

test("[CPT-10] [SES-19] a fork of a turn that was left behind knows which of its turns were cut off", async () => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  place.onPrompt = (_, agent) =>
    agent.die({ kind: "killed", signal: "SIGKILL" });
  const { id } = await operations.createSession(request({ prompt: "one" }));
  await until(
    runtime,
    id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
  );
  await operations.rewindSession(id, { turn: 0, dry_run: false });
  const fork = await operations.forkSession(id, { turn: 1 });
  const [forked] = (await store.events(fork.id, 0, 100)).filter(
    ({ type }) => type === "session.forked",
  );
  assert.ok(forked?.type === "session.forked");
  assert.deepEqual(forked.data.cut, [1]);
  await runtime.close();
});

test("[CPT-53] a turn from before the fork is refused, and it is said where to find it", async () => {
  const runtime = await house(fakeExecutors(new KeepingPlace()));
  const { operations } = runtime;
  const { id } = await operations.createSession(request());
  for (const turn of [1, 2]) {
    await operations.queuePrompt(id, { text: `prompt ${turn}` });
    await until(
      runtime,
      id,
      (event) =>
        event.type === "session.checkpoint.saved" &&
        event.data.checkpoint.kind === "turn" &&
        event.data.checkpoint.turn === turn,
    );
  }
  const fork = await operations.forkSession(id, { turn: 2 });
  const message = `The session was forked at turn 2 of ${id}, and its checkpoints begin there. Turn 1 is one of ${id}: fork that one at turn 1 instead.`;
  const refused = { code: "checkpoint_not_found", message };
  const back = { turn: 1, dry_run: true };
  await assert.rejects(operations.rewindSession(fork.id, back), refused);
  await assert.rejects(operations.forkSession(fork.id, { turn: 1 }), refused);
  await assert.rejects(
    operations.rewindSession(fork.id, { ...back, turn: 7 }),
    { message: "The session has no checkpoint of turn 7." },
  );
  await runtime.close();
});

test("[CPT-29] [P12] the commits of a fork are kept before it is written down; where that fails there is no fork", async () => {
  const place = new KeepingPlace();
  const git = { head: "a".repeat(40), branch: null, own: null, index: null };
  place.git = git;
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  const repository = "/repository";
  const { id } = await operations.createSession(
    request({ worktree: repository, prompt: "one" }),
  );
  await until(
    runtime,
    id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
  );
  const written: unknown[] = [];
  place.whileKeeping = async () => {
    const { session_id } = place.keptCommits.at(-1) ?? { session_id: id };
    written.push(await store.session(session_id));
  };
  const fork = await operations.forkSession(id, { turn: 1 });
  assert.deepEqual(place.keptCommits, [
    { session_id: fork.id, repository, git },
  ]);
  assert.deepEqual(written, [null]);

  const refusing = (code: "unknown_method" | "storage_full") => async () => {
    throw new LinkError(code, code);
  };
  place.whileKeeping = refusing("unknown_method");
  await operations.forkSession(id, { turn: 1 });
  const count = async () =>
    (await operations.listSessions({ limit: 10 })).sessions.length;
  assert.equal(await count(), 3);
  place.whileKeeping = refusing("storage_full");
  await assert.rejects(operations.forkSession(id, { turn: 1 }), {
    code: "storage_full",
  });
  assert.equal(await count(), 3);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
