/** Executors for several places, and sessions at them. */
import assert from "node:assert/strict";
import { SessionId } from "../../src/contract/id.ts";
import { type PlaceRef, placeKey } from "../../src/contract/place.ts";
import { RepriseError } from "../../src/contract/problem.ts";
import type { FakePlace } from "../../src/runtime/fake-place.ts";
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
  return { obtain: reach, find: reach, close: async () => undefined };
};

export const away = (): never => {
  throw new RepriseError("agentctl_unavailable", "It cannot be reached.");
};

export const seed = async (
  store: Store,
  { events, state }: Story,
): Promise<void> =>
  store.append({
    term: await store.claim(),
    session_id: state.id,
    after: 0,
    events,
    ...derivedBy(events, null, state, state.last_active_at),
    snapshot: null,
    receipt: null,
    env: null,
  });

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
