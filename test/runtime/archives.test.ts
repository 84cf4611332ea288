import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import * as z from "zod";
import type { Event } from "../../src/contract/event/event.ts";
import { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  messagesOf,
  problems,
  request,
  taskRequest,
  until,
} from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";
import { refused } from "./refused.ts";

const home = async () => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  return { place, store, runtime, ...runtime };
};

const captured = (event: Event): boolean =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn";

async function* bytes(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** A session with a turn, exported as text. */
const exported = async () => {
  const source = await home();
  const task = await source.operations.createTask(taskRequest());
  const { id } = await source.operations.createSession(
    request({
      prompt: "hello",
      task_id: task.id,
      env: { KEY: "very secret" },
    }),
  );
  await until(source.runtime, id, captured);
  const { content } = await source.operations.exportSession(id);
  return { source, id, archive: await text(content) };
};

test("[CPT-13] a session goes to another home whole: events, prompts, conversation; no secrets", async () => {
  const { source, id, archive } = await exported();
  assert.doesNotMatch(archive, /very secret/);
  const { place, store, runtime, operations, close } = await home();
  place.workspaceKind = "missing";
  const session = await operations.importSession(bytes(archive), {
    cwd: "/new/place",
  });
  assert.deepEqual(
    [session.id, session.state, session.cwd, session.task_id],
    [id, "PAUSED", "/new/place", null],
  );
  const before = await source.store.events(id, 0, 1000);
  const after = await store.events(id, 0, 1000);
  // The order of checkpoints holds within a home.
  const facts = (events: readonly Event[]) =>
    events.map(({ seq, type, data }) =>
      "checkpoint" in data && data.checkpoint !== undefined
        ? [seq, type, { ...data.checkpoint, order: undefined }]
        : [seq, type, data],
    );
  assert.deepEqual(facts(after.slice(0, before.length)), facts(before));
  assert.ok(!JSON.stringify(after).includes('"order":'));
  const first = before.find(({ type }) => type === "session.prompt.queued");
  assert.ok(first?.type === "session.prompt.queued");
  assert.equal(
    (await operations.showPrompt(id, first.data.prompt_id)).state,
    "done",
  );
  assert.deepEqual(
    (await messagesOf(operations, id))
      .filter(({ role }) => role !== "notice")
      .map((message) => message.text),
    ["hello", "You said: hello"],
  );
  await operations.queuePrompt(id, { text: "again" });
  await until(
    runtime,
    id,
    (event) => event.type === "session.turn.ended" && event.data.turn === 2,
  );
  const { rebuild } = place.orders.at(-1) ?? {};
  assert.equal(rebuild?.restore, true);
  assert.equal(rebuild?.memory?.renamed, false);
  await source.close();
  await close();
});

test("[CPT-13] a session goes to where the links on the way to its directory lead", async () => {
  const { source, archive } = await exported();
  const { place, operations, close } = await home();
  place.workspace = async (path: string) =>
    path === "/link"
      ? { kind: "directory" as const, real: "/real" }
      : { kind: "missing" as const };
  const { cwd } = await operations.importSession(bytes(archive), {
    cwd: "/link/a/b",
  });
  assert.equal(cwd, "/real/a/b");
  await source.close();
  await close();
});

test("[CPT-13] a session that is here, or a directory that is, is not overwritten", async () => {
  const { source, archive } = await exported();
  const { operations, place } = source;
  await refused(operations.importSession(bytes(archive), {}), "session_exists");
  assert.equal(place.workspaceKind, "directory");
  await refused(
    operations.importSession(bytes(archive), { cwd: "/is/there" }),
    "file_exists",
  );
  await refused(
    operations.importSession(bytes(archive), { cwd: "not/absolute" }),
    "invalid_request",
  );
  await source.close();
});

test("[API-91] [P1] of imports at the same time each session and each directory is taken once, and the server stays", async () => {
  const [one, other] = [await exported(), await exported()];
  const { place, runtime, operations, close } = await home();
  place.workspaceKind = "missing";
  let isSuperseded = false;
  void runtime.superseded.then(() => (isSuperseded = true));
  const same = () =>
    operations.importSession(bytes(one.archive), { cwd: "/new" });
  const codeOf = (error: unknown) =>
    error instanceof RepriseError ? error.code : "unforeseen";
  const came = [same(), same(), same()].map((each) =>
    each.then(() => "taken", codeOf),
  );
  assert.deepEqual((await Promise.all(came)).toSorted(), [
    "session_exists",
    "session_exists",
    "taken",
  ]);
  await refused(
    operations.importSession(bytes(other.archive), { cwd: "/new" }),
    "file_exists",
  );
  assert.equal(isSuperseded, false);
  for (const { source } of [one, other]) await source.close();
  await close();
});

test("[CPT-13] a journal with prompts of another session here is refused in words", async () => {
  const { source, id, archive } = await exported();
  const other = SessionId.parse("ses_00000000000000000000000000");
  await assert.rejects(
    source.operations.importSession(bytes(archive.replaceAll(id, other)), {}),
    (error) =>
      error instanceof RepriseError &&
      error.code === "unsafe_archive" &&
      error.message.includes(id),
  );
  assert.equal(await source.store.session(other), null);
  await source.close();
});

test("[CPT-8] [CPT-13] one that comes into a directory where others work learns of them", async () => {
  const { source, archive } = await exported();
  const target = await home();
  await target.operations.createSession(request({ cwd: "/work" }));
  target.place.workspaceKind = "missing";
  const { id } = await target.operations.importSession(bytes(archive), {
    cwd: "/work/moved",
  });
  const events = await target.operations.listEvents(id, 0, 1000);
  assert.ok(events.some(({ type }) => type === "session.workspace.shared"));
  await target.close();
  await source.close();
});

test("[CPT-13] [CPT-14] whoever sends a session slowly keeps nobody from collecting garbage", async () => {
  const { source, archive } = await exported();
  const { operations, place, close } = await home();
  place.workspaceKind = "missing";
  const asked = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  async function* slowly(): AsyncGenerator<Uint8Array> {
    asked.resolve();
    await sent.promise;
    yield* bytes(archive);
  }
  const importing = operations.importSession(slowly(), { cwd: "/new/place" });
  await asked.promise;
  await operations.collectGarbage({ dry_run: false });
  sent.resolve();
  assert.equal((await importing).state, "PAUSED");
  await source.close();
  await close();
});

const Archive = z.object({
  trees: z.array(z.string()),
  members: z.array(z.object({ name: z.string(), text: z.string() })),
});

test("[CPT-13] what does not fit is refused, and nothing of it is kept", async () => {
  const { source, id, archive } = await exported();
  const { place, store, operations, close } = await home();
  const given = Archive.parse(JSON.parse(archive));
  const manifest = given.members[0]?.text ?? "";
  const lines = (given.members[1]?.text ?? "").trimEnd().split("\n");
  const attempt = async (
    code: ProblemCode,
    changed: { manifest?: string; journal?: string[]; trees?: string[] },
  ) => {
    const journal = changed.journal ?? lines;
    const made = {
      trees: changed.trees ?? given.trees,
      members: [
        { name: "manifest.json", text: changed.manifest ?? manifest },
        {
          name: "journal.ndjson",
          text: journal.map((line) => `${line}\n`).join(""),
        },
      ],
    };
    await refused(
      operations.importSession(bytes(JSON.stringify(made)), {}),
      code,
    );
  };
  const other = "ses_00000000000000000000000000";
  const without = (i: number) => lines.filter((_, at) => at !== i);
  await attempt("newer_archive", {
    manifest: manifest.replace('"version":1', '"version":2'),
  });
  await attempt("damaged_archive", { manifest: "{}" });
  await attempt("damaged_archive", { manifest: "[".repeat(1000) });
  await attempt("damaged_archive", { journal: without(3) });
  await attempt("damaged_archive", { journal: lines.slice(0, -1) });
  await attempt("damaged_archive", { journal: ["not json"] });
  await attempt("damaged_archive", { trees: [] });
  const changed = (from: string, to: string) => ({
    journal: lines.map((line, i) => (i === 4 ? line.replace(from, to) : line)),
  });
  const long = "x".repeat(1001);
  for (const [from, to] of [
    ['"name":null', `"name":"${long}"`],
    ['"token":"native"', `"token":"${long}"`],
  ] as const) {
    assert.ok(lines.some((line) => line.includes(from)));
    await attempt("damaged_archive", {
      journal: lines.map((line) => line.replaceAll(from, to)),
    });
  }
  await attempt("damaged_archive", changed(id, other));
  await attempt(
    "newer_archive",
    changed('"type":"session.', '"type":"session.later.'),
  );
  await attempt("damaged_archive", {
    journal: lines.map((line) =>
      line.replace('"type":"session.created"', '"type":"session.deleted"'),
    ),
  });
  assert.equal(await store.session(id), null);
  assert.equal(place.kept, 0);
  await operations.importSession(bytes(archive), {});
  assert.equal(place.kept, 1);
  const left = [place, source.place].map(({ transfers }) => transfers.files);
  assert.deepEqual(
    left.map(({ size }) => size),
    [0, 0],
    "no file is left with agentctl",
  );
  await source.close();
  await close();
});

test("[CPT-13] a turn in progress is not torn in two: the export is refused", async () => {
  const { place, runtime, operations, close } = await home();
  place.onPrompt = () => undefined;
  const { id } = await operations.createSession(request({ prompt: "go" }));
  await until(runtime, id, ({ type }) => type === "session.prompt.delivered");
  await refused(operations.exportSession(id), "wrong_state");
  await close();
});

test("[LNK-79] an export that cannot send all its texts leaves none with agentctl", async () => {
  const { source, id } = await exported();
  const { transfers } = source.place;
  const upload = transfers.upload.bind(transfers);
  let count = 0;
  transfers.upload = async (content) => {
    count += 1;
    if (count === 2) throw new LinkError("storage_full", "no space left");
    return upload(content);
  };
  await refused(source.operations.exportSession(id), "storage_full");
  assert.equal(count, 2);
  assert.deepEqual([...transfers.files.keys()], []);
  await source.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
