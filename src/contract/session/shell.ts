/** An interactive shell in the workspace of a session, as everybody sees it. */
import * as z from "zod";
import { SessionId, ShellId } from "../base/id.ts";
import { isRecord } from "../../kit/data/is-record.ts";
import { SHELL_SIZES } from "./shell-size.ts";

/** How many shells of a session may be open at the same time. */
export const MAX_OPEN_SHELLS = 16;

/**
 * Why a shell is not open any more. `exited`: it ended by itself. `closed`: somebody closed it. `session_deleted`: its session
 * was put into the trash. `lost`: the machine was started again, or somebody killed what held it.
 */
const endings = ["exited", "closed", "session_deleted", "lost"] as const;
export const ShellEnding = z.enum(endings);
export type ShellEnding = z.infer<typeof ShellEnding>;

export const ShellEnd = z.object({
  reason: ShellEnding,
  /** As shells tell it: 128 and the number of the signal where one ended it. Null where nobody knows. */
  exit_code: z.number().int().nullable(),
});
export type ShellEnd = z.infer<typeof ShellEnd>;

/** Without the schema, for terminals in the page. */
export const shellEndIn = (value: unknown): ShellEnd | null => {
  if (!isRecord(value)) return null;
  const { exit_code } = value;
  const reason = endings.find((each) => each === value["reason"]);
  const isCode = exit_code === null || Number.isSafeInteger(exit_code);
  return reason === undefined || !isCode
    ? null
    : { reason, exit_code: exit_code === null ? null : Number(exit_code) };
};

/** What is asked, as a terminal may have it. */
export const shellSize = (
  asked: { cols?: number | undefined; rows?: number | undefined } = {},
): { cols: number; rows: number } => ({
  cols: within(SHELL_SIZES.cols, asked.cols),
  rows: within(SHELL_SIZES.rows, asked.rows),
});

const within = (
  { min, max, usual }: { min: number; max: number; usual: number },
  asked = usual,
): number => Math.min(max, Math.max(min, asked));

export const Shell = z.object({
  id: ShellId,
  session_id: SessionId,
  /** What the programs in it call its window; null until one does. Text of strangers. */
  title: z.string().nullable(),
  /** The program: the login shell of the person, or `/bin/sh`. */
  command: z.string(),
  /** Where it was started. */
  cwd: z.string(),
  cols: z.number().int(),
  rows: z.number().int(),
  created_at: z.iso.datetime(),
  state: z.enum(["open", "ended"]),
  ended_at: z.iso.datetime().nullable(),
  /** Null while it is open. */
  end: ShellEnd.nullable(),
});
export type Shell = z.infer<typeof Shell>;
