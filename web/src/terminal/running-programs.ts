import type { SessionProcess } from "../../../src/contract/session/process.ts";

/** How far below the first process of a shell the shell itself is: what holds the terminal, what makes it, the shell. */
const SHELL_DEPTH = 2;

/** What a shell has started and what still runs: not the shell, nor what holds its terminal. */
export const programsOf = (
  shell: string,
  processes: readonly SessionProcess[],
): SessionProcess[] => {
  const own = processes.filter(
    ({ started_by, owner_id }) => started_by === "shell" && owner_id === shell,
  );
  const byPid = new Map(own.map((each) => [each.pid, each]));
  const depth = (each: SessionProcess, seen = new Set<number>()): number => {
    const parent = byPid.get(each.ppid);
    if (parent === undefined || seen.has(each.pid)) return 0;
    return 1 + depth(parent, seen.add(each.pid));
  };
  const [first] = own
    .filter((each) => depth(each) === 0)
    .toSorted((one, other) => one.started_at.localeCompare(other.started_at));
  // What left its parent, as daemons do, runs beside the first.
  return own.filter(
    (each) =>
      each !== first && (depth(each) === 0 || depth(each) > SHELL_DEPTH),
  );
};
