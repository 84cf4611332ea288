/** The turns a session goes on from, told from its journal alone: what a rewind left behind is not among them. */
import type { Event } from "../../../src/contract/event/event.ts";
import { tagIn } from "../user/speech.ts";

export interface Told {
  /** The turns that led to what is now, and what led to each turn. */
  now: readonly number[];
  before: ReadonlyMap<number, readonly number[]>;
  /** By the tag of its prompt. */
  turns: ReadonlyMap<string, readonly Turn[]>;
}

export interface Turn {
  number: number;
  /** The event with which it was completed; null when it was not. */
  completed: number | null;
}

export const toldIn = (journal: readonly Event[]): Told => {
  const before = new Map<number, readonly number[]>();
  const turns = new Map<string, Turn[]>();
  const tags = new Map<string, string | null>();
  let now: readonly number[] = [];
  let turn: Turn = { number: 0, completed: null };
  for (const event of journal)
    switch (event.type) {
      case "session.prompt.queued":
        tags.set(event.data.prompt_id, tagIn(event.data.text));
        break;
      case "session.turn.started": {
        const { turn: number, prompt_id } = event.data;
        const tag = tags.get(prompt_id) ?? "";
        turn = { number, completed: null };
        turns.set(tag, [...(turns.get(tag) ?? []), turn]);
        now = [...now.filter((each) => each !== number), number];
        before.set(number, now);
        break;
      }
      case "session.turn.ended":
        if (event.data.outcome === "completed") turn.completed = event.seq;
        break;
      case "session.rewound":
        now = before.get(event.data.turn) ?? [];
        break;
      default:
        break;
    }
  return { now, before, turns };
};
