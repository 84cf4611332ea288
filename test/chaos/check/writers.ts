import { join } from "node:path";
import type { Event } from "../../../src/contract/event/event.ts";
import { readIfThere } from "../../../src/kit/files/durable-file.ts";
import { LOG } from "../user/speech.ts";
import type { Check, Evidence } from "./evidence.ts";

/** P4: terms never go back. That epochs grow, and that there is one execution at a time, is in the session's rules. */
export const checkTerms: Check = ({ play, journal, violations }) => {
  let highest = 0;
  for (const event of journal) {
    if (event.type !== "session.execution.started") continue;
    const { term, epoch } = event.data;
    if (term < highest)
      violations.add(
        "P4",
        play.name,
        `execution ${epoch} was started under term ${term} after one of term ${highest}`,
      );
    highest = Math.max(highest, term);
  }
};

/** P4: whatever an execution started wrote nothing to the workspace after its end was recorded. */
export const checkWorkspace: Check = async (evidence) => {
  const { play, violations } = evidence;
  const ended = new Map<string, number>();
  const known = new Set<string>();
  for (const event of withAncestors(evidence)) {
    if (event.type === "session.execution.started")
      known.add(event.data.execution_id);
    if (event.type === "session.execution.ended")
      ended.set(event.data.execution_id, Date.parse(event.at));
  }
  const late = new Map<string, number>();
  const text = (await readIfThere(join(play.cwd, LOG))) ?? "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [at = "", execution = ""] = line.split(" ");
    const by = Number(at) - (ended.get(execution) ?? Infinity);
    if (by > 0) late.set(execution, Math.max(by, late.get(execution) ?? 0));
    if (!known.has(execution))
      violations.add(
        "P4",
        play.name,
        `${execution} wrote to the workspace, but the journal does not know it`,
      );
  }
  for (const [execution, by] of late)
    violations.add(
      "P4",
      play.name,
      `${execution} wrote to the workspace until ${by} ms after its end`,
    );
};

/** A fork begins with what its ancestors' executions wrote. */
const withAncestors = ({ play, journal, journals }: Evidence): Event[] => {
  const events = [...journal];
  for (let { parent } = play; parent !== null; parent = parent.play.parent)
    events.push(...(journals.get(parent.play) ?? []));
  return events;
};
