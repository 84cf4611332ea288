/** Webhooks and notifications of a server: their settings, which may change while it runs, and who sends them. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock, Log } from "../runtime/ports/home.ts";
import type { Store } from "../runtime/ports/store.ts";
import type { OutboxEntriesOf } from "../runtime/ports/webhook-store.ts";
import type { Channel } from "../webhooks/channel.ts";
import { channelsOf, type ChannelSettings } from "../webhooks/channels.ts";
import { Deliverer } from "../webhooks/deliverer.ts";
import { outboxEntriesOf } from "../webhooks/outbox-entries.ts";
import { webhookOperations } from "../webhooks/operations.ts";
import { readConfig } from "./config.ts";

/** How often it is looked whether `config.json` was changed. */
const LOOK_MS = 1000;

interface Parts {
  home: string;
  version: string;
  env: NodeJS.ProcessEnv;
  settings: ChannelSettings;
  store: Store;
  term: number;
  clock: Clock;
  log: Log;
}

export const startWebhooks = async (parts: Parts) => {
  const { home, store, term, clock, log } = parts;
  const deliverer = new Deliverer({
    store,
    term,
    clock,
    log,
    chance: Math.random,
  });
  const channelsFor = (settings: ChannelSettings): Channel[] =>
    channelsOf(settings, { ...parts, now: () => clock.now() });
  let settings = pick(parts.settings);
  let channels = channelsFor(settings);
  const path = join(home, "config.json");
  let seen = await stampOf(path);
  let refreshing: Promise<void> | null = null;

  const readAgain = async (): Promise<void> => {
    const stamp = await stampOf(path);
    if (stamp === seen) return;
    seen = stamp;
    let found: ChannelSettings;
    try {
      found = pick(await readConfig(home));
    } catch (err) {
      log.error(
        { err },
        "config.json was changed and cannot be used; webhooks and notifications stay as they were",
      );
      return;
    }
    if (isDeepStrictEqual(found, settings)) return;
    settings = found;
    channels = channelsFor(found);
    await deliverer.serve(channels);
    log.info(
      { channels: channels.map(({ id }) => id) },
      "webhooks and notifications were changed",
    );
  };
  /** One at a time; who asks meanwhile gets the same. */
  const refresh = (): Promise<void> => {
    refreshing ??= readAgain().finally(() => {
      refreshing = null;
    });
    return refreshing;
  };

  await deliverer.serve(channels);
  const timer = setInterval(() => void refresh(), LOOK_MS);
  timer.unref();
  const outbox: OutboxEntriesOf = (events) => outboxEntriesOf(channels, events);
  return {
    outboxEntriesOf: outbox,
    /** To be called after every commit. */
    committed: ({
      events,
    }: {
      events: Parameters<OutboxEntriesOf>[0];
    }): void => {
      if (outbox(events).length > 0) deliverer.wake();
    },
    operations: webhookOperations({
      store,
      deliverer,
      clock,
      receipts: {
        find: (scope, key) => store.receipt(scope, key),
        put: (receipt) => store.putReceipt(term, receipt),
      },
      channels: async () => {
        await refresh();
        return channels;
      },
    }),
    async close(): Promise<void> {
      clearInterval(timer);
      await refreshing;
      await deliverer.close();
    },
  };
};

const pick = ({ webhooks, notify }: ChannelSettings): ChannelSettings => ({
  webhooks,
  notify,
});

/** Another one after every change of the file. */
const stampOf = async (path: string): Promise<string> => {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null
    ? ""
    : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
};
