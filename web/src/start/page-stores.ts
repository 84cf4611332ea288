/** What the whole page shares: made once when it starts. */
import { type Client, connect } from "../../../src/client/client.ts";
import { ConnectionStore } from "../store/connection.ts";
import type { Readable } from "../store/readable.ts";
import { browserScheduler, type Scheduler } from "../store/scheduler.ts";
import { Seen } from "../store/seen.ts";
import { Sessions } from "../store/sessions.ts";
import { type Shelf, shelfOf } from "../store/storage.ts";
import { attention, type Attention } from "../store/attention.ts";
import { derived } from "../store/value.ts";
import type { Beginning } from "./first-view.ts";

export interface PageStores {
  client: Client;
  version: string;
  scheduler: Scheduler;
  shelf: Shelf;
  sessions: Sessions;
  seen: Seen;
  attention: Readable<readonly Attention[]>;
  connection: ConnectionStore;
}

export const openStores = ({ version, home }: Beginning): PageStores => {
  const scheduler = browserScheduler;
  const client = connect({ url: location.origin });
  const shelf = shelfOf(() => localStorage);
  const seen = new Seen(shelf, scheduler.now());
  const connection = new ConnectionStore(scheduler);
  const sessions = new Sessions({
    client,
    scheduler,
    onFailed: () => connection.lost(),
  });
  sessions.begin(home);
  void followHome(client, sessions, connection, home.seq);
  return {
    client,
    version,
    scheduler,
    shelf,
    sessions,
    seen,
    attention: derived([sessions, seen], () =>
      attention(sessions.get().sessions, seen.get()),
    ),
    connection,
  };
};

const followHome = async (
  client: Client,
  sessions: Sessions,
  connection: ConnectionStore,
  after: number,
): Promise<void> => {
  const changes = client.followHome({
    after,
    onOpen: () => connection.opened(),
    onLost: () => connection.lost(),
  });
  for await (const change of changes) {
    connection.heard();
    sessions.take(change);
  }
};
