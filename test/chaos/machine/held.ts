/**
 * The agents of a home and their wrappers, as agentctl wrote them down: `launched` in an execution's journal names the
 * wrapper, the file `pid` beside it the agent. Looking for them among all processes finds a child of the agent too, which
 * is its very image between fork and exec.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { AgentctlFile } from "../../../src/contract/link/link.ts";
import {
  isRunning,
  parentOf,
  partsOf,
  processAt,
  type Process,
} from "./processes.ts";

/** One execution that may be running. */
export interface Held {
  execution: string;
  session: string;
  wrapper: Process | null;
  agent: Process | null;
}

export const heldIn = (home: string): Held[] => {
  const executions = join(home, "agentctl/executions");
  return namesIn(executions).flatMap((execution) => {
    const held = look(join(executions, execution), execution);
    return held === null ? [] : [held];
  });
};

/** The agentctl that holds the home, when it runs. */
export const agentctlIn = (home: string): Process | null => {
  const text = read(join(home, "agentctl/agentctl.json")) ?? "null";
  const written = AgentctlFile.safeParse(jsonOf(text)).data;
  if (written === undefined) return null;
  const named = { pid: written.pid, start: written.start_time };
  return isRunning(named) ? named : null;
};

/** What journals said of executions whose wrapper still runs: it stays so. */
const known = new Map<string, { session: string; wrapper: Process }>();

const look = (directory: string, execution: string): Held | null => {
  let launched = known.get(directory) ?? null;
  if (launched === null || !isRunning(launched.wrapper)) {
    launched = launchedIn(join(directory, "journal"));
    if (launched === null) return null;
    known.set(directory, launched);
  }
  const { session, wrapper } = launched;
  return {
    execution,
    session,
    wrapper: isRunning(wrapper) ? wrapper : null,
    agent: agentIn(directory, execution, wrapper),
  };
};

/** The wrapper's child; or, when the wrapper is dead, who has that pid and bears the mark of the execution. */
const agentIn = (
  directory: string,
  execution: string,
  wrapper: Process,
): Process | null => {
  const pid = Number(read(join(directory, "pid"))?.trim() || Number.NaN);
  const agent = Number.isInteger(pid) ? processAt(pid) : null;
  if (agent === null) return null;
  const isItsChild = parentOf(agent) === wrapper.pid && isRunning(wrapper);
  const mark = `REPRISE_EXECUTION=${execution}`;
  return isItsChild || partsOf(pid, "environ").includes(mark) ? agent : null;
};

const Line = z.union([
  z.object({ kind: z.literal("ordered"), session_id: z.string() }),
  z.object({
    kind: z.literal("launched"),
    wrapper: z.object({ pid: z.number(), start_time: z.string() }),
  }),
]);

/** Both records are among the first of a journal; a start that was cut off begins it anew. */
const launchedIn = (
  journal: string,
): { session: string; wrapper: Process } | null => {
  let session: string | null = null;
  for (const text of (read(journal) ?? "").split("\n")) {
    const line = Line.safeParse(jsonOf(text)).data;
    if (line?.kind === "ordered") session = line.session_id;
    if (line?.kind === "launched" && session !== null) {
      const { pid, start_time: start } = line.wrapper;
      return { session, wrapper: { pid, start } };
    }
  }
  return null;
};

/** A line that is being written is none yet. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
