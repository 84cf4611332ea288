/** What status promises the action does, and what it denies the action refuses with the same reason: the real operations, situation by situation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Abilities } from "../../src/contract/agent/agent.ts";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import type { ResumeReason } from "../../src/contract/agent/resume.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, request, turnEnded, until } from "./house.ts";

const abilities = (given: Partial<Abilities>): Abilities => ({
  resume: true,
  load: true,
  close: true,
  injection: true,
  images: false,
  ...given,
});
const nativeOnly = abilities({ injection: false });
const neither = abilities({ resume: false, load: false, injection: false });

interface Situation {
  abilities?: Abilities;
  /** The agent never says what it calls its session. */
  nameless?: boolean;
  /** What it kept is recorded after its turn. */
  recorded?: boolean;
  checkpoints?: boolean;
  /** What happens after the first turn. */
  then?: (place: FakePlace, runtime: House, id: SessionId) => unknown;
}

type Promised = "native" | "injected";
type Denied = { refused: ResumeReason } | { fresh: ResumeReason };

const end = (_: FakePlace, { operations }: House, id: SessionId) =>
  operations.endSession(id, { outcome: "completed" });
const remove = (_: FakePlace, { operations }: House, id: SessionId) =>
  operations.deleteSession(id);
const set =
  (change: Partial<FakePlace>) =>
  (place: FakePlace): void =>
    void Object.assign(place, change);

const situations: Record<string, [Situation, Promised | Denied]> = {
  "everything is there": [{}, "native"],
  "the agent takes the history only": [
    { abilities: abilities({ resume: false, load: false }) },
    "injected",
  ],
  "the agent never named its session, and takes the history": [
    { nameless: true },
    "injected",
  ],
  "the agent never named its session": [
    { nameless: true, abilities: nativeOnly },
    { fresh: "missing_resume_token" },
  ],
  "the agent cannot resume at all": [
    { abilities: neither },
    { fresh: "not_resumable" },
  ],
  "the agent's own file is gone, and it takes the history": [
    { recorded: true, then: set({ transcript: "missing" }) },
    "injected",
  ],
  "the agent's own file is gone": [
    {
      recorded: true,
      abilities: nativeOnly,
      then: set({ transcript: "missing" }),
    },
    { fresh: "agent_session_missing" },
  ],
  "the workspace is gone, with a checkpoint": [
    { checkpoints: true, then: set({ workspaceKind: "missing" }) },
    "native",
  ],
  "the workspace is gone, without a checkpoint": [
    { then: set({ workspaceKind: "missing" }) },
    { refused: "workspace_missing" },
  ],
  "a file is where the workspace was": [
    { then: set({ workspaceKind: "other" }) },
    { refused: "workspace_not_a_directory" },
  ],
  "the agent was uninstalled": [
    { then: set({ installed: false }) },
    { refused: "agent_not_installed" },
  ],
  "the session has ended": [{ then: end }, { refused: "ended" }],
  "the session is in the trash": [{ then: remove }, { refused: "deleted" }],
};

for (const [words, [situation, expected]] of Object.entries(situations))
  for (const rest of ["paused", "dead"] as const)
    test(`[SES-45] [API-117] ${words}, ${rest}: what status says is what a resume and a prompt do`, async () => {
      for (const action of ["resume", "prompt"] as const) {
        const { runtime, place, id } = await told(situation, rest);
        const status = await runtime.operations.sessionStatus(id);
        assert.equal(typeof status.checked_at, "string");
        const starts = place.orders.length;
        const came = await done(runtime, id, action);
        if (typeof expected === "string") {
          assert.equal(status.is_resumable, true);
          assert.equal(status.needs_resume, rest === "dead");
          assert.equal(came, expected);
        } else if ("refused" in expected) {
          assert.deepEqual(
            [status.is_resumable, status.needs_resume, status.resume_reason],
            [false, false, expected.refused],
          );
          assert.equal(came, expected.refused);
          assert.equal(place.orders.length, starts, "nothing was started");
        } else {
          assert.deepEqual(
            [status.is_resumable, status.needs_resume, status.resume_reason],
            [false, false, expected.fresh],
          );
          assert.equal(status.requires_new_session, true);
          assert.equal(came, "fresh", "who asks by name is told what is lost");
        }
        await runtime.close();
      }
    });

/** A session that has had one turn, and what happened to it since. */
const told = async (
  { then, checkpoints = false, nameless, recorded, ...given }: Situation,
  rest: "paused" | "dead",
) => {
  const place = new FakePlace();
  place.readiness = ({ open }) => ({
    ...(given.abilities && { abilities: given.abilities }),
    ...(nameless === true && { native_session_id: null }),
    ...(open.kind === "new" && { failed: open.failed ?? null }),
  });
  const runtime = await house(fakeExecutors(place));
  const { id } = await runtime.operations.createSession(
    request({ prompt: "hello", checkpoints }),
  );
  await until(runtime, id, turnEnded(1));
  const [agent] = place.agentsById.values();
  assert.ok(agent !== undefined);
  if (recorded === true) {
    agent.fact({ kind: "transcript", range: null, bytes: 1, sha256: "x" });
    await until(
      runtime,
      id,
      ({ type }) => type === "session.transcript.recorded",
    );
  }
  if (rest === "paused") await runtime.operations.pauseSession(id);
  else {
    agent.die({ kind: "killed", signal: "SIGKILL" });
    await until(runtime, id, ({ type }) => type === "session.execution.ended");
  }
  await then?.(place, runtime, id);
  return { runtime, place, id };
};

/** The grade of what came of it, or the reason of its refusal. */
const done = async (
  runtime: House,
  id: SessionId,
  action: "resume" | "prompt",
): Promise<string | undefined> => {
  const { operations } = runtime;
  try {
    if (action === "resume")
      return (await operations.resumeSession(id)).resume?.grade ?? undefined;
    const { last_seq } = await operations.showSession(id);
    await operations.queuePrompt(id, { text: "go on" });
    const seen = await until(
      runtime,
      id,
      (event) => turnEnded(2)(event) || isError(event),
      last_seq,
    );
    const failed = seen.find(isError);
    if (failed?.type === "session.state_changed") return failed.data.code;
    const { resume, queued_prompts } = await operations.showSession(id);
    assert.deepEqual(queued_prompts, []);
    return resume?.grade ?? undefined;
  } catch (error) {
    assert.ok(error instanceof RepriseError, String(error));
    return action === "resume" ? error.reason : reasons[error.code];
  }
};

/** A prompt that is not admitted is refused like any other wish: its code says why. */
const reasons: Partial<Record<string, ResumeReason>> = {
  session_ended: "ended",
  session_deleted: "deleted",
};

const isError = (event: Event): boolean =>
  event.type === "session.state_changed" && event.data.to === "ERROR";

test("[REC-31] [SES-44] start-up brings back what would remember, and says of the others what status says", async () => {
  const cases: [Situation, string | null][] = [
    [{}, null],
    [{ abilities: neither }, "not_resumable"],
    [{ abilities: nativeOnly, nameless: true }, "missing_resume_token"],
    [
      {
        abilities: nativeOnly,
        recorded: true,
        then: set({ transcript: "missing" }),
      },
      "agent_session_missing",
    ],
  ];
  for (const [situation, notice] of cases) {
    const store = memoryStore();
    const place = new FakePlace();
    place.readiness = ({ open }) => ({
      ...(situation.abilities && { abilities: situation.abilities }),
      ...(situation.nameless === true && { native_session_id: null }),
      ...(open.kind === "new" && { failed: open.failed ?? null }),
    });
    place.onPrompt = (_, agent) => {
      if (situation.recorded === true)
        agent.fact({ kind: "transcript", range: null, bytes: 1, sha256: "x" });
      agent.say("I begin");
    };
    const first = await house(fakeExecutors(place), { store });
    const { id } = await first.operations.createSession(
      request({ prompt: "work", checkpoints: false }),
    );
    await until(
      first,
      id,
      (event) =>
        event.type === "session.message.added" &&
        event.data.message.role === "agent",
    );
    await first.close();
    const [agent] = place.agentsById.values();
    assert.ok(agent !== undefined);
    agent.deaf = true;
    agent.die({ kind: "killed", signal: "SIGKILL" });
    agent.deaf = false;
    await situation.then?.(place, first, id);

    const second = await house(fakeExecutors(place), { store });
    await second.recovery.startup("startup");
    const seen = await until(
      second,
      id,
      ({ type, data }) =>
        type === "session.resumed" ||
        (type === "session.notice" && "code" in data && data.code === notice),
    );
    assert.equal(
      seen.some(({ type }) => type === "session.resumed"),
      notice === null,
    );
    assert.equal(place.orders.length, notice === null ? 2 : 1);
    const status = await second.operations.sessionStatus(id);
    assert.equal(status.resume_reason, notice);
    await second.close();
  }
});
