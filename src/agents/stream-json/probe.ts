import { CliProcess, type Command } from "./cli-process.ts";
import type { Failure, Listener, Run } from "./dialect.ts";
import { jsonOf } from "./json-line.ts";
import { refusalOf } from "./refusal.ts";

/** Asks the CLI itself whether it has a session, without a prompt. Throws ACP's error when it has not. */
export const probe = async (
  command: Command,
  run: Run,
  listener: Listener,
  id: string,
): Promise<void> => {
  const cli = CliProcess.start(command, run);
  cli.finish();
  let known = false;
  let failure: Failure | null = null;
  for await (const line of cli.lines())
    for (const heard of listener(jsonOf(line))) {
      if (heard.kind === "known") known = true;
      if (heard.kind === "failed") failure ??= heard.failure;
    }
  const { code, signal } = await cli.exited;
  if (known) return;
  const message = `The agent's program ended (${signal ?? code}) without opening session ${id}`;
  throw refusalOf(
    {
      kind: "failed",
      failure: failure ?? { kind: "error", message },
      stderr: cli.stderrTail,
    },
    id,
  );
};
