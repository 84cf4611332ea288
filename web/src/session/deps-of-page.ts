/** The screens of a session with the stores of the page. */
import { browserKept } from "../dock/late-kept.ts";
import type { PageStores } from "../start/page-stores.ts";
import { Drafts } from "../store/drafts.ts";
import { openSession } from "../store/session/session-door.ts";
import type { SessionDeps } from "./session-deps.ts";

export const depsOfPage = (stores: PageStores): SessionDeps => {
  const { client, live, connection, scheduler, settings, seen, shelf } = stores;
  const agentName = (agent: string): string => stores.agents.name(agent);
  const named = stores.agents.load();
  return {
    client,
    terminals: { client, live },
    agentName,
    drafts: new Drafts({
      shelf,
      now: () => scheduler.now(),
      newKey: () => crypto.randomUUID(),
    }),
    kept: browserKept(() => scheduler.now()),
    tryConnection: () => live.tryNow(),
    openSession: (id) =>
      openSession(
        id,
        {
          client,
          live,
          connection,
          scheduler,
          settings,
          agentName,
          readLine: async (id) => {
            // Names come with the first view of a session.
            await named;
            return client.showLine(id);
          },
          markSeen: (session) => seen.mark(session),
          onSession: (session) => stores.sessions.put(session),
        },
        stores.takeFirst(id),
      ),
  };
};
