import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { homedir } from "node:os";
import { unreachable } from "../../kit/unreachable.ts";
import { CliProcess, type Command } from "./cli-process.ts";
import type { Dialect, Failure, Run } from "./dialect/dialect.ts";
import { jsonOf } from "./json-line.ts";
import { refusalOf } from "./refusal.ts";

/** Throws ACP's error when the CLI is found not to have this session. */
export const lookUp = async (
  dialect: Dialect,
  command: Command,
  id: string,
): Promise<void> => {
  if (!dialect.isId(id)) throw RequestError.sessionNotFound(id);
  const { lookup } = dialect;
  switch (lookup.kind) {
    case "run":
      return runToFind(dialect, command, lookup.run(id), id);
    case "file": {
      const { cwd } = command;
      const where = { home: homedir(), cwd, env: variables() };
      if ((await lookup.find(where, id)) === null)
        throw RequestError.sessionNotFound(id);
      return;
    }
    case "none":
      return;
    default:
      return unreachable(lookup);
  }
};

const runToFind = async (
  dialect: Dialect,
  command: Command,
  run: Run,
  id: string,
): Promise<void> => {
  const cli = CliProcess.start(command, run);
  cli.finish();
  const listener = dialect.listen(id);
  let known = false;
  let failure: Failure | null = null;
  for await (const line of cli.lines())
    for (const interpreted of listener(jsonOf(line))) {
      if (interpreted.kind === "known") known = true;
      if (interpreted.kind === "failed") failure ??= interpreted.failure;
    }
  const { code, signal } = await cli.exited;
  if (known) return;
  failure ??= {
    kind: "error",
    message: `The agent's program ended (${signal ?? code}) without opening session ${id}`,
  };
  throw refusalOf({ kind: "failed", failure, stderr: cli.stderrTail }, id);
};

const variables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).map(([name, value]) => [name, value ?? ""]),
  );
