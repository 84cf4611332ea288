/** What the list of processes says. */
import type { SessionProcess } from "../../../../src/contract/session/process.ts";
import { bytes } from "../../words/counts.ts";

/** The processes at one moment, in milliseconds. */
export interface Sample {
  at: number;
  processes: readonly SessionProcess[];
}

export interface ProcessLine {
  process: SessionProcess;
  startedBy: string;
  /** `12 %` of one core since the sample before; null at first. */
  cpu: string | null;
  memory: string;
  ports: readonly number[];
  /** Why it is not ended here; null where it can be. */
  keepReason: string | null;
}

export const processLines = (
  now: Sample,
  before: Sample | null,
): ProcessLine[] => {
  const earlier = new Map(
    before?.processes.map(({ id, cpu_seconds }) => [id, cpu_seconds]),
  );
  const passed = before === null ? 0 : (now.at - before.at) / 1000;
  return now.processes.map((process) => ({
    process,
    startedBy: process.is_agent
      ? "the agent itself"
      : starters[process.started_by],
    cpu: share(process.cpu_seconds, earlier.get(process.id), passed),
    memory: bytes(process.memory_bytes),
    ports: process.ports ?? [],
    keepReason: process.is_agent
      ? "This is the agent. Pause the session to stop it."
      : null,
  }));
};

const starters = {
  agent: "by the agent",
  exec: "by a command",
  shell: "in a terminal",
} as const;

/** Clocks of processes tick in hundredths: a shorter time says nothing. */
const MIN_PASSED = 0.5;

const share = (
  now: number,
  before: number | undefined,
  passed: number,
): string | null =>
  before === undefined || passed < MIN_PASSED
    ? null
    : `${Math.max(0, Math.round(((now - before) / passed) * 100))} %`;
