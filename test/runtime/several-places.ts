/** Sessions and agentctls at more than one place, for tests of the runtime. */
import assert from "node:assert/strict";
import type { Event } from "../../src/contract/event/event.ts";
import { ExecutionId, SessionId } from "../../src/contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../src/contract/base/place.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import type { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { Executors } from "../../src/runtime/ports/executors.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { Story } from "../../src/session/testing.ts";
import { derivedBy } from "../../src/session/view/derive.ts";
import { id } from "./house.ts";

export const FAR = { kind: "remote", id: "far" };

type Where = [PlaceRef, () => FakePlace | Promise<FakePlace>];

export const executorsOf = (...places: Where[]): Executors => {
  const known = new Map(places.map(([at, reach]) => [placeKey(at), reach]));
  const reach = async (at: PlaceRef): Promise<FakePlace> =>
    (known.get(placeKey(at)) ?? away)();
  const nothing = async (): Promise<void> => undefined;
  return { obtain: reach, find: reach, leave: nothing, close: nothing };
};

export const away = (): never => {
  throw new RepriseError("agentctl_unavailable", "It cannot be reached.");
};

/** A session with an agent that lives at a place and waits for a prompt; its journal may have ended it, or not know of it yet. */
export const running = async (
  store: Store,
  place: FakePlace,
  at: PlaceRef,
  {
    journal = "current",
    checkpoints = false,
  }: {
    journal?: "current" | "ended" | "older";
    checkpoints?: boolean;
  } = {},
): Promise<SessionId> => {
  const session_id = SessionId.parse(id("ses"));
  const execution_id = ExecutionId.parse(id("exe"));
  const other = ExecutionId.parse(id("exe"));
  const story = new Story({ session_id, place: at, checkpoints });
  story.begin(execution_id).ready();
  if (journal === "ended") story.given({ type: "execution.lose", epoch: 1 });
  await seed(store, story);
  await place.start({
    execution_id: journal === "older" ? other : execution_id,
    session_id,
    epoch: journal === "older" ? 2 : 1,
    definition: story.state.agent.definition,
    cwd: story.state.workspace.cwd,
    env: {},
    open: { kind: "new" },
    predecessors: [],
    deadline_ms: 1000,
  });
  place.asked.length = 0;
  return session_id;
};

export const seed = async (
  store: Store,
  { events, state }: Story,
): Promise<void> =>
  store.append({
    place: { key: placeKey(state.workspace.place), term: await store.claim() },
    session_id: state.id,
    after: 0,
    events,
    ...derivedBy(events, null, state, state.times.last_active_at),
    snapshot: null,
    receipt: null,
    env: null,
  });

export const isReattached = (event: Event): boolean =>
  event.type === "session.resumed" && event.data.resume.grade === "reattached";
/** A session at rest with one checkpoint. */
export const checkpointed = async (
  store: Store,
  place: PlaceRef,
  n: number,
): Promise<SessionId> => {
  const session_id = SessionId.parse(id("ses"));
  const cwd = "/same";
  const story = new Story({ session_id, place, cwd, checkpoints: true });
  story.captured(n).up().die();
  await seed(store, story);
  return session_id;
};

/** A place that never answers. */
export const never = (): Promise<FakePlace> => new Promise(() => undefined);

type Parts = readonly ({ place: PlaceRef } | object)[] | undefined;

/** Why nothing was done at a place; null when it was. */
export const codeAt = (places: Parts, at: PlaceRef): string | null => {
  const part = (places ?? []).find(
    (each): each is { place: PlaceRef; problem?: { code: string } } =>
      "place" in each && each.place.id === at.id,
  );
  assert.ok(part !== undefined);
  return part.problem?.code ?? null;
};
