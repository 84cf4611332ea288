import type { SessionId } from "../../contract/id.ts";
import type { AgentsQuery, MessagesQuery } from "../../contract/request.ts";
import type { Executor } from "../../contract/session.ts";
import { shownDamage } from "../../session/damaged.ts";
import { livingExecutor } from "../../session/executor-row.ts";
import { sessionStatusOf } from "../../session/status.ts";
import { viewOf } from "../../session/view.ts";
import { placeOf } from "../../session/place.ts";
import { addressOf, findAgentctl } from "../agentctl-health.ts";
import { follow } from "../follow.ts";
import type { SessionFilter } from "../ports.ts";
import { Sightings } from "../sightings.ts";
import { soundMessagesOf } from "../sound-messages.ts";
import { orDamaged, requireSession, statusOfDamaged } from "./damage.ts";
import { EXECUTOR, type House } from "./house.ts";

/** Looking, without changing anything. */
export const readingOperations = (house: House) => {
  const { engine, store, bulletin, clock, places, patience } = house;
  const { overrides, agentEnv } = house;
  const sightings = new Sightings(house);
  return {
    listSessions: async (filter: SessionFilter) => {
      const { sessions, next } = await store.sessions(filter);
      return { sessions: sessions.map(shownDamage), next };
    },
    showSession: (id: SessionId) =>
      orDamaged(
        house,
        id,
        async () => viewOf(await engine.state(id)),
        (session) => session,
      ),
    journalEnd: async (id: SessionId) =>
      (await store.session(id))?.last_seq ?? 0,
    sessionStatus: (id: SessionId) =>
      orDamaged(
        house,
        id,
        async () => {
          const state = await engine.state(id);
          // Before the session is looked at: that may start an agentctl where there is none.
          const { health } = await findAgentctl(places, placeOf(state).kind);
          const sighting = await sightings.of(state);
          return sessionStatusOf(
            state,
            sighting,
            patience,
            clock.now().toISOString(),
            // One that is frozen keeps its connection for a while.
            sighting === null && health === "ready" ? "error" : health,
          );
        },
        (session, from) => statusOfDamaged(house, session, from),
      ),

    listEvents: async (id: SessionId, after: number, limit: number) => {
      await requireSession(house, id);
      return store.events(id, after, limit);
    },
    listMessages: (id: SessionId, query: MessagesQuery) =>
      soundMessagesOf(house, id, query),
    follow: (id: SessionId, after: number, signal: AbortSignal) =>
      follow(store, bulletin, id, after, signal),

    listAgents: async ({ path, cwd }: AgentsQuery) =>
      (await places.obtain(EXECUTOR)).agents({
        overrides: { ...overrides },
        env: { ...agentEnv, ...(path !== undefined && { PATH: path }) },
        ...(cwd !== undefined && { cwd }),
      }),
    listExecutors: () => listExecutors(house),
  };
};

/** The rows of executors, with the agentctls that live now. */
const listExecutors = async ({
  store,
  places,
  clock,
}: House): Promise<Executor[]> => {
  const rows = await store.executors();
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  const found = new Map(
    await Promise.all(
      runtimes.map(
        async (runtime) =>
          [runtime, await findAgentctl(places, runtime)] as const,
      ),
    ),
  );
  const at = clock.now().toISOString();
  return rows.map((row) => {
    const { health, place } = found.get(row.runtime) ?? nobody;
    return livingExecutor(row, health, place && addressOf(place), at);
  });
};

const nobody = { health: "stopped", place: null } as const;
