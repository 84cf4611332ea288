import type { DatabaseSync } from "node:sqlite";
import type { SwitchedOff } from "../../../../runtime/ports/webhook-store.ts";

/** Webhooks whose receivers wanted nothing more. */
export const switchedOffWrites = (db: DatabaseSync) => {
  const put = db.prepare(
    "INSERT OR REPLACE INTO webhooks_off (channel, url, at) VALUES (?, ?, ?)",
  );
  const drop = db.prepare("DELETE FROM webhooks_off WHERE channel = ?");
  const keep = db.prepare(
    "DELETE FROM webhooks_off WHERE channel NOT IN (SELECT value FROM json_each(?))",
  );
  return {
    put: ({ channel, url, at }: SwitchedOff): void => {
      put.run(channel, url, at);
    },
    drop: (channel: string): void => {
      drop.run(channel);
    },
    keep: (channels: readonly string[]): void => {
      keep.run(JSON.stringify(channels));
    },
  };
};

export const switchedOffReads = (db: DatabaseSync) => {
  const all = db.prepare("SELECT * FROM webhooks_off ORDER BY channel");
  return {
    all: (): SwitchedOff[] =>
      all.all().map((row) => ({
        channel: String(row["channel"]),
        url: String(row["url"]),
        at: String(row["at"]),
      })),
  };
};
