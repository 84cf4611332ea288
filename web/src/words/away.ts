/** What the bar on top says while the server is away, and when it is back. */
import type { Connection } from "../store/connection.ts";
import { clock } from "./age.ts";
import { counted } from "./counts.ts";

type Away = Extract<Connection, { kind: "away" }>;

export const awayText = ({ since, nextTryAt }: Away, now: number): string =>
  `Agents go on working. What you see is from ${clock(since, { seconds: true })}; it catches up by itself. ${nextTry(nextTryAt, now)}`;

const nextTry = (at: number | null, now: number): string =>
  at === null || at <= now
    ? "Trying now."
    : `Next try in ${Math.ceil((at - now) / 1000)} s.`;

/** Null where there is nothing to say. */
export const connectionText = (
  connection: Connection,
  now: number,
): { title: string; text: string } | null => {
  switch (connection.kind) {
    case "opening":
    case "connected":
      return null;
    case "away":
      return { title: "The server is away.", text: awayText(connection, now) };
    case "back":
      return {
        title: "Back.",
        text: `${counted(connection.caughtUp, "event")} caught up.`,
      };
    case "refused":
      return {
        title: "You are signed out.",
        text: "Open the link that `reprise open` prints.",
      };
  }
};
