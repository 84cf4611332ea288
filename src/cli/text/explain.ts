/** Errors on standard error, so that standard output holds answers only: words for people, a document with `--json`. */
import { ServerUnreachable } from "../../client/client.ts";
import {
  type ProblemCode,
  RepriseError,
  problemOf,
} from "../../contract/problem/problem.ts";
import { type ExitCode, exitCodeOf } from "../parsing/exit-code.ts";
import { asCalled } from "../terminal/program.ts";
import { jsonLine, sanitize } from "../terminal/sanitize.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";

export const explain = (
  error: unknown,
  advice: string | null,
  { err, json, program }: Pick<World, "err" | "json" | "program">,
): ExitCode => {
  const words = [wordsOf(error), ...(advice === null ? [] : [advice])];
  err.write(
    json
      ? `${jsonLine(documentOf(error, advice))}\n`
      : `${err.palette.red("reprise:")} ${asCalled(sanitize(words.join("\n")), program)}\n`,
  );
  return exitCodeOf(error);
};

const wordsOf = (error: unknown): string => {
  const message = messageOf(error);
  if (!(error instanceof RepriseError)) return message;
  const { code, state, issues = [] } = error;
  const where =
    state === undefined || TELLS_STATE.has(code) ? "" : ` It is ${state}.`;
  // The detail tells the first one already.
  const more = issues
    .slice(1)
    .map((issue) => `\n  ${issue.path || "as a whole"}: ${issue.message}`);
  return message + where + more.join("");
};

/** Of what is in the trash the state does not matter; a start that failed, and an end, are told already. */
const TELLS_STATE: ReadonlySet<ProblemCode> = new Set([
  "session_deleted",
  "session_ended",
  "resume_failed",
]);

/** As the server's own problems look, also where there was no server to write one. */
const documentOf = (error: unknown, advice: string | null): unknown => {
  const problem =
    error instanceof RepriseError ? problemOf(error) : madeUp(error);
  return advice === null ? problem : { ...problem, advice };
};

const madeUp = (error: unknown) => {
  const { code, status, title } = kindOf(error);
  return {
    type: `urn:reprise:problem:${code}`,
    title,
    status,
    code,
    detail: messageOf(error),
  };
};

const kindOf = (
  error: unknown,
): { code: string; status: number; title: string } => {
  if (error instanceof ServerUnreachable)
    return {
      code: "server_unreachable",
      status: 503,
      title: "The server cannot be reached",
    };
  if (error instanceof UsageError)
    return {
      code: "usage",
      status: 400,
      title: "The command line cannot be understood",
    };
  return { code: "failed", status: 500, title: "The command failed" };
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
