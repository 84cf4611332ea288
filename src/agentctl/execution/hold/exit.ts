import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { constants } from "node:os";
import type { Ending } from "../../../contract/session/ending.ts";
import { readIfThere } from "../../../kit/files/durable-file.ts";
import type { AgentFiles } from "./files.ts";

/** How the agent ended, by the status its wrapper left. No status: the wrapper was killed as well, or the machine went down. */
export const endingOf = async (files: AgentFiles): Promise<Ending> => {
  const status = Number.parseInt((await readIfThere(files.exit)) ?? "", 10);
  if (Number.isNaN(status)) return { kind: "vanished" };
  if (status <= 128) return { kind: "exited", code: status };
  return { kind: "killed", signal: signalName(status - 128) };
};

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, it]) => it === number)?.[0] ??
  `signal ${number}`;

const TAIL = 4 * 1024;

/** The last words on stderr. */
export const stderrTail = (files: AgentFiles): string => {
  try {
    const file = openSync(files.stderr, "r");
    try {
      const buffer = Buffer.alloc(TAIL);
      const from = Math.max(0, fstatSync(file).size - TAIL);
      const length = readSync(file, buffer, 0, TAIL, from);
      return buffer.subarray(0, length).toString("utf8").trim();
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
};
