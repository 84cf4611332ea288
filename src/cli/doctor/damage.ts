import type { Damage } from "../../contract/damage-route.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Finding, fail, ok } from "./check.ts";

/** What the server knows to be damaged: the database as a whole, and each session with what can be done about it. */
export const checkDamage = ({ database, sessions }: Damage): Finding[] => {
  if (database.length === 0 && sessions.length === 0)
    return [ok("database", "nothing is known to be damaged")];
  return [
    ...database.map((words) => fail("database", oneLine(words))),
    ...sessions.map(({ id, name, damaged_from }) =>
      fail(
        "database",
        `${id}${name === null ? "" : ` (${oneLine(name)})`} is damaged from event ${damaged_from} on; go on from an earlier turn, or delete it`,
        `reprise session fork ${id}`,
      ),
    ),
  ];
};
