/** Where agents run, and where they can: the rows of executors, and all places, looked at side by side. */
import {
  isOtherHost,
  LOCAL,
  type PlaceRef,
  placeKey,
} from "../../contract/base/place.ts";
import type { ExecutorPlace } from "../../contract/session/executor-place.ts";
import type { Executor } from "../../contract/session/session.ts";
import { within } from "../../kit/time/deadline.ts";
import {
  type AgentctlHealth,
  livingExecutor,
} from "../../session/view/executor-row.ts";
import { reasonOf } from "../failures/reason.ts";
import { addressOf, FIND_MS } from "../places/agentctl-health.ts";
import type { Place } from "../ports/executors.ts";
import type { Store } from "../ports/store.ts";
import type { OperationDeps } from "./operation-deps.ts";

export interface ExecutorList {
  executors: Executor[];
  places: ExecutorPlace[];
}

export const listExecutors = async (
  deps: OperationDeps,
): Promise<ExecutorList> => {
  const { store, clock, hosts } = deps;
  const rows = await Promise.all(
    (await store.executors()).map(async (row) => ({
      row,
      at: await placeOfRow(store, row),
    })),
  );
  const all = new Map<string, PlaceRef>();
  for (const at of [LOCAL, ...hosts, ...rows.flatMap((each) => each.at ?? [])])
    all.set(placeKey(at), at);
  const found = new Map(
    await Promise.all(
      [...all].map(async ([key, at]) => [key, await look(deps, at)] as const),
    ),
  );
  const now = clock.now().toISOString();
  const executors = rows.map(({ row, at }) => {
    const { health, place } =
      (at === null ? undefined : found.get(placeKey(at))) ?? nobody;
    return livingExecutor(row, health, place && addressOf(place), now);
  });
  return {
    executors,
    places: await Promise.all(
      [...all].map(async ([key, at]) => ({
        ...placeView(
          at,
          found.get(key) ?? nobody,
          sessionsAt(key, rows, executors),
        ),
        sandbox: await sandboxAt(deps, at),
      })),
    ),
  };
};

/** A row does not say which place of its kind it is. There is only one where the server runs, so most sessions need no look. */
const placeOfRow = async (
  store: Store,
  { runtime, session_id }: Executor,
): Promise<PlaceRef | null> =>
  runtime === LOCAL.kind
    ? LOCAL
    : ((await store.session(session_id))?.place ?? null);

interface Found {
  health: AgentctlHealth;
  place: Place | null;
  latency_ms: number | null;
  why: string | null;
}

const nobody: Found = {
  health: "stopped",
  place: null,
  latency_ms: null,
  why: null,
};

/** Starts none. All of it has one deadline: a host that does not answer holds up nobody for long. */
const look = async (deps: OperationDeps, at: PlaceRef): Promise<Found> => {
  try {
    return await within("the look", FIND_MS, ask(deps, at));
  } catch (error) {
    const why =
      deps.places.absences.whyAway(at) ??
      (error instanceof Error && "code" in error
        ? reasonOf(error).message
        : `It did not answer within ${FIND_MS / 1000} s.`);
    return { ...nobody, health: deps.places.absences.statusOf(at), why };
  }
};

const ask = async ({ places }: OperationDeps, at: PlaceRef): Promise<Found> => {
  const place = await places.findHeld(at);
  if (place === null) return nobody;
  const started = performance.now();
  await place.workspace("/");
  const latency_ms = Math.round((performance.now() - started) * 100) / 100;
  return { health: "ready", place, latency_ms, why: null };
};

const placeView = (
  { kind, id }: PlaceRef,
  { health, place, latency_ms, why }: Found,
  sessions: number,
): Omit<ExecutorPlace, "sandbox"> => ({
  executor: kind,
  host: isOtherHost({ kind }) ? id : null,
  available: health === "ready" || health === "stopped",
  why,
  build: place?.build ?? null,
  arch: place?.arch ?? null,
  latency_ms,
  sessions,
});

const sandboxAt = async (
  { places }: OperationDeps,
  at: PlaceRef,
): Promise<ExecutorPlace["sandbox"]> => {
  const why = await places.whyNoSandbox(at);
  return { available: why === null, why };
};

const sessionsAt = (
  key: string,
  rows: readonly { at: PlaceRef | null }[],
  executors: readonly Executor[],
): number =>
  executors.filter(({ status }, index) => {
    const at = rows[index]?.at ?? null;
    return at !== null && placeKey(at) === key && status !== "stopped";
  }).length;
