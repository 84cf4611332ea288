import { eventJson } from "../../contract/event/event-json.ts";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import type { AgentsQuery, MessagesQuery } from "../../contract/api/request.ts";
import type { ProfileView } from "../../contract/agent/profile-view.ts";
import { profileView } from "../../contract/api/profile.ts";
import type { WindowQuery } from "../../contract/api/window-route.ts";
import { shownDamage } from "../../session/view/damaged.ts";
import { sessionStatusOf } from "../../session/view/status.ts";
import { viewOf } from "../../session/view/view.ts";
import { placeOf } from "../../session/state/place.ts";
import { environmentFor } from "../callers/session-environment.ts";
import { findAgentctl } from "../places/agentctl-health.ts";
import { follow } from "../../journal/follow.ts";
import type { SessionFilter } from "../ports/store.ts";
import type { Sessions } from "../sessions/session-journal.ts";
import { soundMessagesOf, soundWindowOf } from "../messages/sound-messages.ts";
import { chosenPlace } from "./chosen-place.ts";
import { orDamaged, requireSession, statusOfDamaged } from "./damage.ts";
import { listExecutors } from "./executors.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** A directory is one of this machine: who asks for it works there. */
type ListFilter = Omit<SessionFilter, "cwd" | "near"> & { cwd?: string };

/** Looking, without changing anything. */
export const readingOperations = (deps: OperationDeps) => {
  const { engine, store, commits, clock, places, patience } = deps;
  const { overrides, sightings, held } = deps;
  const source = {
    commits,
    events: async (id: SessionId, after: number, limit: number) => {
      await held.requireHeard(id);
      return store.events(id, after, limit);
    },
    lengthOf: (event: Event) => eventJson(event).length,
  };
  return {
    listSessions: async ({ cwd, ...filter }: ListFilter) => {
      const { sessions, next } = await store.sessions({
        ...filter,
        ...(cwd !== undefined && { cwd: { place: LOCAL, path: cwd } }),
      });
      return { sessions: sessions.map(shownDamage), next };
    },
    showSession: (id: SessionId) =>
      orDamaged(
        deps,
        id,
        async () => viewOf(await engine.state(id)),
        (session) => session,
      ),
    journalEnd: async (id: SessionId) =>
      (await store.session(id))?.last_seq ?? 0,
    sessionStatus: (id: SessionId) =>
      orDamaged(
        deps,
        id,
        async () => {
          const state = await engine.state(id);
          // Before the session is looked at: that may start an agentctl where there is none.
          const at = placeOf(state);
          const { health } = await findAgentctl(places, at);
          const sighting = await sightings.of(state);
          return sessionStatusOf(
            state,
            sighting,
            patience,
            clock.now().toISOString(),
            // One that is frozen keeps its connection for a while.
            sighting === null && health === "ready"
              ? places.absences.statusOf(at)
              : health,
          );
        },
        (session, from) => statusOfDamaged(deps, session, from),
      ),

    listEvents: async (id: SessionId, after: number, limit: number) => {
      await requireSession(deps, id);
      return store.events(id, after, limit);
    },
    listMessages: (id: SessionId, query: MessagesQuery) =>
      soundMessagesOf(deps, id, query),
    showWindow: (id: SessionId, query: WindowQuery) =>
      soundWindowOf(deps, id, query),
    follow: (id: SessionId, after: number, signal: AbortSignal) =>
      follow<Sessions>(source, id, after, signal),
    requireHeard: (id: SessionId) => held.requireHeard(id),

    listAgents: async ({ path, cwd, executor, host }: AgentsQuery) => {
      const at = chosenPlace(deps, { executor, host });
      const caller = path === undefined ? {} : { PATH: path };
      return (await places.obtainHeld(at)).agents({
        overrides: { ...overrides },
        env: environmentFor(deps, { place: at, caller }),
        ...(cwd !== undefined && { cwd }),
      });
    },
    listProfiles: (): ProfileView[] =>
      Object.entries(deps.profiles).map(([id, profile]) =>
        profileView(id, profile),
      ),
    listExecutors: () => listExecutors(deps),
  };
};
