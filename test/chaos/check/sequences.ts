import { isDeepStrictEqual } from "node:util";
import { checkInvariants } from "../../../src/session/invariants.ts";
import type { Check } from "./evidence.ts";

/** P2: what every client was told is what the journal holds, without gap, repetition or change of order. */
export const checkSequences: Check = ({ play, journal, violations }) => {
  for (const { name, after, events, complaints } of play.witnesses) {
    for (const complaint of complaints)
      violations.add("P2", play.name, `${name}: ${complaint}`);
    const wrong = events.findIndex(
      (event, i) =>
        event.seq !== after + 1 + i ||
        !isDeepStrictEqual(event, journal[after + i]),
    );
    if (wrong !== -1)
      violations.add(
        "P2",
        play.name,
        `${name} got as event ${after + 1 + wrong}: ${JSON.stringify(events[wrong])}, the journal has ${JSON.stringify(journal[after + wrong])}`,
      );
    else if (after + events.length !== journal.length)
      violations.add(
        "P2",
        play.name,
        `${name} got ${after + events.length} of ${journal.length} events`,
      );
  }
};

/** The rules of the session, held against its journal. */
export const checkRules: Check = ({ play, journal, violations }) => {
  try {
    checkInvariants(journal);
  } catch (error) {
    violations.add("SES", play.name, String(error));
  }
};
