/** What is said while a race runs, on standard error. */
import type { TurnResult } from "../../client/turn.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { permitCommands, resolveCommands } from "../text/next-command.ts";
import { duration } from "../terminal/age.ts";
import { indented } from "../terminal/indented.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";

/** With the commands that answer it. It is told with `--json` too: somebody has to answer. */
export const tellQuestion = (
  { err, program }: World,
  run: { number: number; agent: string; session: SessionId },
  permission: Permission,
): void =>
  err.write(
    `${run.number} ${run.agent} asks: ${oneLine(permission.title)}\n${indented(permitCommands(program, run.session, permission))}\n`,
  );

export interface RunEnd
  extends
    Pick<TurnResult, "status" | "error">,
    Partial<Pick<TurnResult, "session_id" | "prompt_id" | "turn">> {
  number: number;
  agent: string;
  took_ms: number | null;
}

export const tellOver = ({ err, json, program }: World, run: RunEnd): void => {
  if (json) return;
  const { number, agent, status, error, took_ms } = run;
  const after = took_ms === null ? "" : ` after ${duration(took_ms)}`;
  const why = error === null ? "" : `: ${oneLine(error.message)}`;
  err.write(
    `${err.palette.dim(`${number} ${agent}: ${status}${after}${why}`)}\n${next(program, run)}`,
  );
};

/** A turn that was cut off waits for a decision. One that never began is told by its error. */
const next = (
  program: string,
  { status, session_id, prompt_id, turn = null }: RunEnd,
): string =>
  status !== "interrupted" ||
  turn === null ||
  session_id === undefined ||
  prompt_id === undefined
    ? ""
    : `${indented(resolveCommands(program, session_id, prompt_id))}\n`;
