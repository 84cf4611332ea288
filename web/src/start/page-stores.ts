/** What the whole page shares: made once when it starts. */
import { type Calls, callsOf } from "../../../src/client/client.ts";
import { trusting } from "../../../src/client/reading/trusting.ts";
import type { ShellLink } from "../../../src/client/live/shell-connection.ts";
import type {
  FirstSession,
  PageSettings,
} from "../../../src/contract/api/first-view.ts";
import { Agents } from "../store/agents.ts";
import { ConnectionStore } from "../store/connection.ts";
import type { Live } from "../store/live.ts";
import type { Readable } from "../store/readable.ts";
import { OtherRelease } from "../store/release.ts";
import { browserScheduler, type Scheduler } from "../store/scheduler.ts";
import { Seen } from "../store/seen.ts";
import { Sessions } from "../store/sessions.ts";
import { DRAFT, NEW_DRAFT } from "../store/drafts.ts";
import { type Shelf, shelfOf } from "../store/storage.ts";
import { attention, type Attention } from "../store/attention.ts";
import { derived } from "../store/value.ts";
import { speak } from "./speak.ts";
import { watchSeen } from "./watch-seen.ts";
import type { Beginning } from "./first-view.ts";

export interface PageStores {
  client: Calls;
  version: string;
  otherRelease: OtherRelease;
  scheduler: Scheduler;
  shelf: Shelf;
  sessions: Sessions;
  seen: Seen;
  attention: Readable<readonly Attention[]>;
  connection: ConnectionStore;
  live: Live & ShellLink;
  settings: PageSettings;
  agents: Agents;
  /** The session that the document brought with it: for who opens it first, before it is old. */
  takeFirst(id: string): FirstSession | null;
}

export const openStores = ({
  version,
  home,
  session,
}: Beginning): PageStores => {
  let first = session;
  const scheduler = browserScheduler;
  const client = callsOf({ url: location.origin, reading: trusting });
  const shelf = shelfOf(() => localStorage);
  // Where the browser keeps nothing, what was typed goes with the page: it asks first.
  addEventListener("beforeunload", (event) => {
    if (shelf.holds(DRAFT) || shelf.holds(NEW_DRAFT)) event.preventDefault();
  });
  const seen = new Seen(shelf, scheduler.now());
  const live = client.live();
  const connection = new ConnectionStore(live, scheduler);
  const sessions = new Sessions({
    client,
    scheduler,
    onFailed: () => live.tryNow(),
  });
  sessions.begin(home);
  watchSeen(sessions, seen);
  void followHome(live, sessions, home.seq);
  const agents = new Agents(client);
  const needs = derived([sessions, seen], () =>
    attention(sessions.get().sessions, seen.get()),
  );
  speak(needs, agents);
  return {
    client,
    version,
    otherRelease: new OtherRelease(live, client, version),
    scheduler,
    shelf,
    sessions,
    seen,
    attention: needs,
    connection,
    live,
    settings: home.settings,
    agents,
    takeFirst: (id) => {
      const taken = first?.session.id === id ? first : null;
      first = null;
      return taken;
    },
  };
};

const followHome = async (
  live: Live,
  sessions: Sessions,
  after: number,
): Promise<void> => {
  const { signal } = new AbortController();
  for await (const change of live.followHome({ after, signal }))
    try {
      sessions.take(change);
    } catch (error) {
      // One that cannot be shown must not end the news of all others.
      reportError(error);
    }
};
