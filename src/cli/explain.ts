/** Errors on standard error, so that standard output holds answers only: words for people, a document with `--json`. */
import { ServerUnreachable } from "../client/client.ts";
import { RepriseError, problemOf } from "../contract/problem.ts";
import { type ExitCode, exitCodeOf } from "./exit-code.ts";
import { jsonLine, sanitize } from "./sanitize.ts";
import { UsageError } from "./usage-error.ts";
import type { World } from "./world.ts";

export const explain = (
  error: unknown,
  { err, json }: Pick<World, "err" | "json">,
): ExitCode => {
  err.write(
    json
      ? `${jsonLine(documentOf(error))}\n`
      : `${err.palette.red("reprise:")} ${sanitize(wordsOf(error))}\n`,
  );
  return exitCodeOf(error);
};

const wordsOf = (error: unknown): string => {
  if (error instanceof ServerUnreachable)
    return `${error.message}\nStart it with \`reprise up\`.`;
  if (!(error instanceof RepriseError)) return messageOf(error);
  const issues = (error.issues ?? []).map(
    ({ path, message }) => `\n  ${path === "" ? "" : `${path}: `}${message}`,
  );
  const advice =
    error.code === "unauthorized"
      ? "\nGive the server's token in REPRISE_TOKEN, or set REPRISE_HOME to the server's home."
      : "";
  return messageOf(error) + issues.join("") + advice;
};

const documentOf = (error: unknown): unknown => {
  if (error instanceof RepriseError) return problemOf(error);
  const [code, title] = kindOf(error);
  return {
    type: `urn:reprise:problem:${code}`,
    title,
    code,
    detail: messageOf(error),
  };
};

const kindOf = (error: unknown): [code: string, title: string] => {
  if (error instanceof ServerUnreachable)
    return ["server_unreachable", "The server cannot be reached"];
  if (error instanceof UsageError)
    return ["usage", "The command line cannot be understood"];
  return ["failed", "The command failed"];
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
