import type { SessionId } from "../../contract/id.ts";
import type { MessagesQuery } from "../../contract/request.ts";
import { shownDamage } from "../../session/damaged.ts";
import { sessionStatusOf } from "../../session/status.ts";
import { viewOf } from "../../session/view.ts";
import { follow } from "../follow.ts";
import { glance } from "../look.ts";
import type { SessionFilter } from "../ports.ts";
import { soundMessagesOf } from "../sound-messages.ts";
import { orDamaged, requireSession, statusOfDamaged } from "./damage.ts";
import { EXECUTOR, type House } from "./house.ts";

/** Looking, without changing anything. */
export const readingOperations = (house: House) => {
  const { engine, store, bulletin, clock, places, overrides, patience } = house;
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
    sessionStatus: (id: SessionId) =>
      orDamaged(
        house,
        id,
        async () => {
          const state = await engine.state(id);
          return sessionStatusOf(
            state,
            await glance(house, state),
            patience,
            clock.now().toISOString(),
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

    listAgents: async () =>
      (await places.obtain(EXECUTOR)).agents({ ...overrides }),
    listExecutors: () => store.executors(),
  };
};
