/** What runs for a session, by the marks that its processes have from whoever started them. */
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import type {
  SessionProcess,
  StartedBy,
} from "../../contract/session/process.ts";
import { isBubblewrap } from "../../kit/processes/bubblewrap.ts";
import {
  type ProcessRow,
  processesWith,
} from "../../kit/processes/process-table.ts";

/** Each process has one of these, inherited from the first one, and beside it the id of the session. */
export const MARKS = {
  exec: "REPRISE_EXEC",
  shell: "REPRISE_SHELL",
  agent: "REPRISE_EXECUTION",
} as const satisfies Record<StartedBy, string>;

export const SESSION_MARK = "REPRISE_SESSION_ID";

const MAX_COMMAND = 500;

/** Oldest first. `wrappers`: the programs of ours between us and the agents, by the executions that they belong to. */
export const processesOf = async (
  session: SessionId,
  wrappers: ReadonlyMap<ExecutionId, number>,
): Promise<SessionProcess[]> => {
  const rows = await processesWith({
    mark: `${SESSION_MARK}=${session}`,
    variables: Object.values(MARKS),
    maxCommand: MAX_COMMAND,
  });
  const pids = new Set(wrappers.values());
  return rows
    .filter(({ pid, command }) => !pids.has(pid) && !isBubblewrap(command))
    .flatMap((row) => toldOf(row, pids) ?? [])
    .toSorted((a, b) => compare(a.started_at, b.started_at) || a.pid - b.pid);
};

const toldOf = (
  { variables, pgid, ...row }: ProcessRow,
  wrappers: ReadonlySet<number>,
): SessionProcess | null => {
  const started_by = startersByMark.find(
    (each) => variables[MARKS[each]] !== undefined,
  );
  if (started_by === undefined) return null;
  const owner_id = variables[MARKS[started_by]] ?? "";
  // Agents run commands in groups of their own: what is in the agent's group is a part of it, as a program below an adapter is.
  const is_agent =
    started_by === "agent" && (wrappers.has(row.ppid) || wrappers.has(pgid));
  return { ...row, started_by, owner_id, is_agent };
};

const startersByMark: readonly StartedBy[] = ["exec", "shell", "agent"];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
