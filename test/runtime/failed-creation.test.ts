import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { ulid } from "../../src/kit/data/ulid.ts";
import { house, quiet, request, root, turnEnded, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

/** A store that is full, and says so before or after it has written. */
const full = async (written: boolean) => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), {
    store: {
      ...store,
      append: async (change) => {
        if (written) await store.append(change);
        throw new RepriseError("storage_full", "The disk is full.");
      },
    },
  });
  const create = (given: object) =>
    assert.rejects(runtime.operations.createSession(request(given)), {
      code: "storage_full",
    });
  return { place, create, kept: runtime.kept, close: runtime.close };
};

test("[CPT-15] what was made for a session that cannot be created is taken away", async () => {
  const { place, create, close } = await full(false);
  await create({ worktree: "/repository" });
  const [worktree] = place.worktrees;
  assert.ok(worktree !== undefined);
  const { id: session_id } = worktree;
  assert.deepEqual(place.discarded, [{ session_id, worktree, unused: true }]);
  await create({});
  assert.equal(place.discarded.at(-1)?.worktree, null);
  // A directory that it was given is somebody's.
  await create({ cwd: "/work" });
  assert.equal(place.discarded.length, 2);
  await close();
});

test("[CPT-15] of a session that is in the store after all, nothing is taken", async () => {
  const { place, create, close } = await full(true);
  await create({ worktree: "/repository" });
  assert.deepEqual(place.discarded, []);
  await close();
});

for (const written of [false, true])
  test(`[SES-61] the environment of who asked for a session that could not be created is ${written ? "kept where the session is in the store after all" : "forgotten"}`, async () => {
    const { create, kept, close } = await full(written);
    await create({ cwd: "/work", caller_env: { KEY: "secret" } });
    assert.equal(kept.ids().size, written ? 1 : 0);
    await close();
  });

test("[SES-61] so it is with a fork, whichever step fails", async () => {
  const store = memoryStore();
  const now = { isFull: false, isUnreadable: false };
  const runtime = await house(fakeExecutors(new KeepingPlace()), {
    store: {
      ...store,
      append: async (change) => {
        if (now.isFull && change.after === 0)
          throw new RepriseError("storage_full", "The disk is full.");
        await store.append(change);
      },
      env: async (session) => {
        if (now.isUnreadable)
          throw new RepriseError("storage_unavailable", "It cannot be read.");
        return store.env(session);
      },
    },
  });
  const { operations, kept } = runtime;
  const { id } = await operations.createSession(
    request({ prompt: "hello", caller_env: { KEY: "secret" } }),
  );
  await until(runtime, id, turnEnded(1));
  now.isFull = true;
  await assert.rejects(operations.forkSession(id, {}), {
    code: "storage_full",
  });
  now.isFull = false;
  now.isUnreadable = true;
  await assert.rejects(operations.forkSession(id, {}), {
    code: "storage_unavailable",
  });
  assert.deepEqual(kept.ids(), new Set([id]));
  now.isUnreadable = false;
  const fork = await operations.forkSession(id, {});
  assert.deepEqual(kept.ids(), new Set([id, fork.id]));
  await runtime.close();
});

test("[CPT-15] what a server that was killed made for a session is taken away by the next, and nothing else", async () => {
  const workspaces = join(root, "workspaces");
  await rm(workspaces, { recursive: true, force: true });
  const make = async (at: number) => {
    const name = `ses_${ulid(at)}`;
    await mkdir(join(workspaces, name), { recursive: true });
    return name;
  };
  const unmade = await make(Date.now() - 60_000);
  await mkdir(join(workspaces, "somebody's"));
  const place = new KeepingPlace();
  const store = memoryStore();
  const before = await house(fakeExecutors(place), { store });
  const { id } = await before.operations.createSession(request());
  await before.operations.endSession(id, { outcome: "completed" });
  await before.operations.deleteSession(id);
  await before.close();
  const runtime = await house(fakeExecutors(place), { store });
  await make(Date.now() + 60_000);
  place.abandoned.length = 0;
  await runtime.operations.collectGarbage({ dry_run: true });
  assert.deepEqual(place.abandoned, []);
  await runtime.operations.collectGarbage({ dry_run: false });
  await runtime.operations.keepRetention();
  assert.deepEqual(place.abandoned, [unmade, unmade]);
  await runtime.close();
});

test("[CPT-15] [CPT-29] refs that were kept for a fork which a killed server never wrote down are taken away by the next", async () => {
  const workspaces = join(root, "workspaces");
  await rm(workspaces, { recursive: true, force: true });
  const place = new KeepingPlace();
  const head = "a".repeat(40);
  place.git = { head, branch: null, own: null, index: null };
  const store = memoryStore();
  const before = await house(fakeExecutors(place), { store });
  const { operations } = before;
  const { id } = await operations.createSession(
    request({ worktree: "/repository", prompt: "hello" }),
  );
  await until(before, id, turnEnded(1));
  const made = await operations.forkSession(id, {});
  const kept = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<never>();
  // The server is as good as killed when the refs are made: it does not go on.
  place.whileKeeping = () => {
    kept.resolve();
    return killed.promise;
  };
  const forking = assert.rejects(operations.forkSession(id, {}));
  await kept.promise;
  const lost = place.keptCommits.at(-1)?.session_id;
  assert.ok(lost !== undefined && lost !== made.id);

  // Ids of one millisecond are in no order.
  for (const now = Date.now(); Date.now() === now;) await setImmediate();
  const next = await house(fakeExecutors(place), { store });
  place.discarded.length = 0;
  await next.operations.collectGarbage({ dry_run: false });
  const [discarded, ...others] = place.discarded;
  assert.deepEqual(others, []);
  assert.equal(discarded?.session_id, lost);
  assert.equal(discarded?.worktree?.repository, "/repository");
  await next.operations.collectGarbage({ dry_run: false });
  assert.equal(place.discarded.length, 1, "once");
  killed.reject(new Error("killed"));
  await forking;
  await before.close();
  await next.close();
});

test("[CPT-29] a note of a fork that is not this home's own removes no refs, is not waited for, and is not told", async (t) => {
  const notes = join(root, "workspaces/.forks");
  await rm(join(root, "workspaces"), { recursive: true, force: true });
  await mkdir(notes, { recursive: true });
  const told: unknown[] = [];
  t.mock.method(quiet, "warn", (...words: unknown[]) => void told.push(words));
  const name = (): string => `ses_${ulid(Date.now() - 60_000)}`;
  const note = (id: string, given: object = {}): string =>
    JSON.stringify({
      id,
      path: join(root, "workspaces", id),
      branch: `reprise/${id.slice(-8)}`,
      repository: "/repository",
      ...given,
    });
  const [own, other, renamed, long, words, link, fifo] = Array.from(
    { length: 7 },
    name,
  ) as [string, string, string, string, string, string, string];
  await writeFile(join(notes, own), note(own));
  // As it comes with a copy of another home.
  await writeFile(
    join(notes, other),
    note(other, { path: `/elsewhere/workspaces/${other}` }),
  );
  await writeFile(join(notes, renamed), note(own));
  await writeFile(join(notes, long), note(long) + " ".repeat(100_000));
  await writeFile(join(notes, words), "a secret");
  await writeFile(join(root, "secret"), note(link));
  await symlink(join(root, "secret"), join(notes, link));
  execFileSync("mkfifo", [join(notes, fifo)]);
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place));
  await runtime.operations.collectGarbage({ dry_run: false });
  assert.deepEqual(
    place.discarded.map(({ session_id }) => session_id),
    [own],
  );
  for (const id of [other, renamed, long, words, link, fifo])
    assert.match(inspect(told, { depth: 9 }), new RegExp(id));
  assert.doesNotMatch(inspect(told, { depth: 9 }), /a secret|repository/);
  await runtime.close();
});
