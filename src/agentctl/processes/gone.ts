import type {
  GoneProcess,
  SessionProcess,
} from "../../contract/session/process.ts";

/** What is worth remembering: what agents and shells have started. A command ends with its request in any case. */
export const worthKeeping = (
  processes: readonly SessionProcess[],
): SessionProcess[] =>
  processes.filter(
    ({ started_by, is_agent }) => started_by !== "exec" && !is_agent,
  );

/** Those that ran then and do not run now. What was started again, or by one that is told of, is not told. */
export const goneOf = (
  then: readonly SessionProcess[],
  now: readonly SessionProcess[],
): GoneProcess[] => {
  const alive = new Set(now.map(({ id }) => id));
  const commands = new Set(now.map(({ command }) => command));
  const gone = then.filter(
    ({ id, command }) => !alive.has(id) && !commands.has(command),
  );
  const pids = new Set(gone.map(({ pid }) => pid));
  return gone
    .filter(({ ppid }) => !pids.has(ppid))
    .map(({ pid, started_by, command, started_at, ports }) => ({
      pid,
      started_by,
      command,
      started_at,
      ports,
    }));
};

const MAX_NAMED = 5;

export const wordsOfGone = (gone: readonly GoneProcess[]): string => {
  const named = gone.slice(0, MAX_NAMED).map(({ command }) => `\`${command}\``);
  const more = gone.length - named.length;
  const list = more > 0 ? [...named, `${more} more`] : named;
  return `These were running and are gone: ${list.join(", ")}. Nothing is started again by itself.`;
};
