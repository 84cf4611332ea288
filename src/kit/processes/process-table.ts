/** Processes with a variable in their environment, and what can be told of each. */
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eachEnvironment, factsOf, listeningPorts } from "./proc.ts";
import { bootId, type ProcessIdentity } from "./process-identity.ts";

export interface ProcessRow {
  /** Names this process for ever. */
  id: string;
  pid: number;
  ppid: number;
  /** The pid of the first process of its group. */
  pgid: number;
  command: string;
  started_at: string;
  cpu_seconds: number;
  memory_bytes: number;
  /** Null where that cannot be told. */
  ports: number[] | null;
  /** Those of the wanted variables that it has. */
  variables: Record<string, string>;
}

interface Wanted {
  /** `NAME=value`. */
  mark: string;
  /** Names of variables to tell. */
  variables: readonly string[];
  /** Characters. */
  maxCommand: number;
}

export const processesWith = (wanted: Wanted): Promise<ProcessRow[]> =>
  process.platform === "linux" ? rowsInProc(wanted) : rowsByPs(wanted);

const rowsInProc = async (wanted: Wanted): Promise<ProcessRow[]> => {
  const found: { pid: number; variables: Record<string, string> }[] = [];
  const needle = Buffer.from(wanted.mark);
  await eachEnvironment((pid, environ) => {
    if (!environ.includes(needle)) return;
    const entries = environ.toString().split("\0");
    if (entries.includes(wanted.mark))
      found.push({ pid, variables: variablesIn(entries, wanted) });
  });
  const boot_id = await bootId();
  const listeners = new Map<string, ReadonlyMap<string, number>>();
  return found.flatMap(({ pid, variables }) => {
    const facts = factsOf(pid, wanted.maxCommand);
    if (facts === null) return [];
    const { start_time, started_at, ...told } = facts;
    return {
      id: processId({ pid, boot_id, start_time }),
      pid,
      ...told,
      started_at: new Date(started_at).toISOString(),
      ports: listeningPorts(pid, listeners),
      variables,
    };
  });
};

const variablesIn = (
  entries: readonly string[],
  { variables }: Wanted,
): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap((entry) => {
      const [name = "", ...value] = entry.split("=");
      return variables.includes(name) ? [[name, value.join("=")]] : [];
    }),
  );

/** Two processes that had the same pid have different ids. */
export const processId = ({
  pid,
  boot_id,
  start_time,
}: ProcessIdentity): string => {
  const digest = createHash("sha256").update(`${boot_id}\0${start_time}`);
  return `prc_${pid}_${digest.digest("hex").slice(0, 16)}`;
};

const run = promisify(execFile);

/** The environment is shown behind the command, so the command is asked for on its own: values are not for anybody's eyes. */
const rowsByPs = async (wanted: Wanted): Promise<ProcessRow[]> => {
  const marked = new Map<number, Record<string, string>>();
  for (const line of await psLines("eww", "pid=,command=")) {
    const words = line.trim().split(" ");
    if (words.includes(wanted.mark))
      marked.set(Number(words[0]), variablesIn(words, wanted));
  }
  const boot_id = await bootId();
  const lines = await psLines(
    "ww",
    "pid=,ppid=,pgid=,rss=,time=,lstart=,command=",
  );
  return lines.flatMap((line) => {
    const [pid, ppid, pgid, rss, time = "", ...rest] = line.trim().split(/\s+/);
    const variables = marked.get(Number(pid));
    if (variables === undefined || Number(pid) === process.pid) return [];
    const start_time = rest.slice(0, 5).join(" ");
    return {
      id: processId({ pid: Number(pid), boot_id, start_time }),
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      command: rest.slice(5).join(" ").slice(0, wanted.maxCommand),
      started_at: new Date(start_time).toISOString(),
      cpu_seconds: secondsOf(time),
      memory_bytes: Number(rss) * 1024,
      ports: null,
      variables,
    };
  });
};

const psLines = async (how: string, columns: string): Promise<string[]> => {
  const { stdout } = await run("/bin/ps", [how, "-axo", columns], {
    maxBuffer: 64 * 1024 * 1024,
    env: { LC_ALL: "C" },
  });
  return stdout.split("\n");
};

/** `1:02.50`, or `1:02:03`. */
const secondsOf = (time: string): number =>
  time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
