/** The runtime over a store and an agentctl in memory. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../src/contract/base/id.ts";
import type { PlaceRef } from "../../src/contract/base/place.ts";
import type { Message } from "../../src/contract/session/message.ts";
import { CreateTaskRequest } from "../../src/contract/api/task-request.ts";
import type { Profiles } from "../../src/contract/api/profile.ts";
import { CreateSessionRequest } from "../../src/contract/api/request.ts";
import { ulid } from "../../src/kit/data/ulid.ts";
import type { Executors } from "../../src/runtime/ports/executors.ts";
import type { Ownership } from "../../src/runtime/ports/ownership.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { startRuntime } from "../../src/runtime/runtime.ts";
import { forkNotesIn } from "../../src/serve/fork-notes.ts";
import { homeOwnership } from "../../src/serve/home-ownership.ts";
import { ownDirectoriesIn } from "../../src/serve/own-directories.ts";
import type { Retention } from "../../src/session/view/retention.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

export const root = await mkdtemp(join(tmpdir(), "reprise-runtime-"));
after(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));

const workspaces = join(root, "workspaces");

export const id = (prefix: string): string => `${prefix}_${ulid(Date.now())}`;
export const problems: unknown[] = [];
export const quiet = {
  info: () => undefined,
  warn: () => undefined,
  error: (facts: object) => void problems.push(facts),
};

export const house = async (
  executors: Executors,
  given: {
    store?: Store;
    ownership?: Ownership;
    now?: () => Date;
    ages?: () => Date;
    since?: (stamp: string) => string;
    idleMinutes?: number;
    startDeadlineMs?: number;
    resumeDeadlineMs?: number;
    deliveryMs?: number;
    placesMs?: number;
    reachMs?: number;
    upkeepMs?: number;
    retention?: Retention;
    checkpointMs?: number;
    agentEnv?: Record<string, string>;
    profiles?: Profiles;
    hosts?: readonly PlaceRef[];
    serverVariable?: (name: string) => string | undefined;
  } = {},
) => {
  const store = given.store ?? memoryStore();
  return startRuntime({
    store,
    executors,
    ownership: given.ownership ?? homeOwnership(store, await store.claim()),
    clock: { now: given.now ?? (() => new Date()) },
    ...(given.ages === undefined
      ? {}
      : {
          ages: { now: given.ages, since: given.since ?? ((stamp) => stamp) },
        }),
    ids: {
      session: () => SessionId.parse(id("ses")),
      task: () => TaskId.parse(id("tsk")),
      attempt: () => AttemptId.parse(id("att")),
      prompt: () => PromptId.parse(id("prm")),
      execution: () => ExecutionId.parse(id("exe")),
      command: () => CommandId.parse(id("cmd")),
    },
    log: quiet,
    overrides: {},
    agentEnv: { HOME: "/home/x", ...given.agentEnv },
    ...(given.profiles === undefined ? {} : { profiles: given.profiles }),
    ...(given.hosts === undefined ? {} : { hosts: given.hosts }),
    ...(given.serverVariable === undefined
      ? {}
      : { serverVariable: given.serverVariable }),
    loginVariables: () => ["KEY"],
    labelKey: "k",
    workspaces,
    ownDirectories: ownDirectoriesIn(workspaces),
    forkNotes: forkNotesIn(join(workspaces, ".forks")),
    version: "1.2.3",
    ...(given.retention === undefined ? {} : { retention: given.retention }),
    idleMinutes: given.idleMinutes ?? null,
    ...(given.checkpointMs === undefined
      ? {}
      : { checkpointMs: given.checkpointMs }),
    ...(given.placesMs === undefined ? {} : { placesMs: given.placesMs }),
    ...(given.reachMs === undefined ? {} : { reachMs: given.reachMs }),
    ...(given.upkeepMs === undefined ? {} : { upkeepMs: given.upkeepMs }),
    ...(given.deliveryMs === undefined ? {} : { deliveryMs: given.deliveryMs }),
    ...(given.startDeadlineMs === undefined
      ? {}
      : { startDeadlineMs: given.startDeadlineMs }),
    ...(given.resumeDeadlineMs === undefined
      ? {}
      : { resumeDeadlineMs: given.resumeDeadlineMs }),
  });
};

export type House = Awaited<ReturnType<typeof house>>;
export const request = (given: object = {}) =>
  CreateSessionRequest.parse(given);

export const taskRequest = (fields: object = {}) =>
  CreateTaskRequest.parse({ title: "T", ...fields });

/** Follows a session until an event fits; gives everything seen. */
export const until = async (
  { operations }: House,
  session: SessionId,
  fits: (event: Event) => boolean,
  from = 0,
): Promise<Event[]> => {
  const seen: Event[] = [];
  for await (const batch of operations.follow(
    session,
    from,
    AbortSignal.timeout(patience(5000)),
  )) {
    seen.push(...batch);
    if (batch.some(fits)) return seen;
  }
  throw new Error(
    `it did not happen; seen: ${seen.map(({ type }) => type).join(" ")}`,
  );
};
export const turnEnded = (n: number) => (event: Event) =>
  event.type === "session.turn.ended" && event.data.turn === n;

/** A conversation that one page holds. */
export const messagesOf = async (
  operations: Awaited<ReturnType<typeof house>>["operations"],
  session: SessionId,
): Promise<Message[]> => {
  const page = await operations.listMessages(session, { limit: 1000 });
  assert.equal(page.next, null);
  return page.messages;
};

/** What the user said in it. */
export const promptsIn = async (
  operations: Awaited<ReturnType<typeof house>>["operations"],
  session: SessionId,
): Promise<string[]> =>
  (await messagesOf(operations, session))
    .filter(({ role }) => role === "user")
    .map(({ text }) => text);
