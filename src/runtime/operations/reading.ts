import type { SessionId } from "../../contract/id.ts";
import type { MessagesQuery } from "../../contract/request.ts";
import { sessionStatusOf } from "../../session/status.ts";
import { viewOf } from "../../session/view.ts";
import { follow } from "../follow.ts";
import { glance } from "../look.ts";
import { messagesOf } from "../message-page.ts";
import type { SessionFilter } from "../ports.ts";
import { EXECUTOR, type House } from "./house.ts";

/** Looking, without changing anything. */
export const readingOperations = (house: House) => {
  const { engine, store, bulletin, clock, places, overrides, patience } = house;
  return {
    listSessions: (filter: SessionFilter) => store.sessions(filter),
    showSession: async (id: SessionId) => viewOf(await engine.state(id)),
    sessionStatus: async (id: SessionId) => {
      const state = await engine.state(id);
      return sessionStatusOf(
        state,
        await glance(house, state),
        patience,
        clock.now().toISOString(),
      );
    },

    listEvents: async (id: SessionId, after: number, limit: number) => {
      await engine.state(id);
      return store.events(id, after, limit);
    },
    listMessages: async (id: SessionId, query: MessagesQuery) => {
      const { seq } = await engine.state(id);
      return messagesOf(store, id, seq, query);
    },
    follow: (id: SessionId, after: number, signal: AbortSignal) =>
      follow(store, bulletin, id, after, signal),

    listAgents: async () =>
      (await places.obtain(EXECUTOR)).agents({ ...overrides }),
    listExecutors: () => store.executors(),
  };
};
