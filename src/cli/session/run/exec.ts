import { constants } from "node:os";
import {
  DEFAULT_COMMAND_MS,
  type ExecResult,
  MAX_COMMAND_MS,
} from "../../../contract/api/run-route.ts";
import { callerEnv } from "../../../local/caller-env.ts";
import { command } from "../../parsing/command.ts";
import { jsonLine, sanitize } from "../../terminal/sanitize.ts";
import { size } from "../../terminal/size.ts";
import type { Sink, World } from "../../terminal/world.ts";
import { UsageError } from "../../parsing/usage-error.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

/** As `timeout` has it. */
const TIMED_OUT = 124;

export const exec = command({
  name: "session exec",
  summary: "Run a command in the workspace of a session",
  about:
    "It runs with the environment of the session's agent, whether that runs or not. No shell reads it: for pipes and variables, run one. The end of what it prints is shown when it is over, up to 1 MiB of stdout and of stderr. What it leaves in the background is ended. Once it has run, its exit code is that of this command, and 128 + N where signal N ended it.",
  args: [sessionArgument],
  rest: { name: "CMD", help: "the program and its arguments" },
  options: {
    cwd: {
      kind: "text",
      value: "DIR",
      help: "a directory of the workspace to run it in",
    },
    env: {
      kind: "list",
      value: "NAME=VALUE",
      help: "a variable for it; may be given several times",
    },
    timeout: {
      kind: "number",
      value: "S",
      max: MAX_COMMAND_MS / 1000,
      help: `seconds after which it is ended; default ${DEFAULT_COMMAND_MS / 1000}`,
    },
    stdin: { kind: "flag", help: "give it the standard input of this command" },
    key: {
      kind: "text",
      value: "K",
      help: "idempotency key: with the same key it is run once",
    },
  },
  examples: [
    "reprise session exec ses_01jm -- git log --oneline -5",
    "reprise session exec ses_01jm --timeout 600 -- npm test",
    "reprise session exec ses_01jm -- sh -c 'ls *.md | wc -l'",
  ],
  exits: { [TIMED_OUT]: "the command was ended at its deadline" },
  async run({ args, options, rest }, world) {
    const [program, ...others] = rest;
    if (program === undefined) throw new UsageError("CMD is missing.");
    const { client, id } = await targetOf(world, args.ID);
    const { cwd, timeout, key } = options;
    const input = options.stdin ? await world.stdin() : new Uint8Array();
    const leaving = new AbortController();
    // The server ends the command when nobody waits for it any more.
    const stopListening = world.onSignal(() => leaving.abort());
    try {
      const ran = await client.execCommand(
        id,
        {
          argv: [program, ...others],
          ...(cwd === undefined ? {} : { cwd }),
          ...(timeout === undefined ? {} : { timeout_ms: timeout * 1000 }),
          env: variablesIn(options.env),
          stdin: Buffer.from(input).toString("utf8"),
          encoding: world.json ? "text" : "base64",
          ...(await callerEnv(world)),
        },
        { key, signal: leaving.signal },
      );
      show(world, ran);
      return exitOf(ran);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
      return INTERRUPTED;
    } finally {
      stopListening();
    }
  },
});

const INTERRUPTED = 130;

const variablesIn = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((each) => {
      const [name = "", ...value] = each.split("=");
      if (value.length === 0)
        throw new UsageError(`--env needs NAME=VALUE, not "${each}".`);
      return [name, value.join("=")];
    }),
  );

const show = (world: World, ran: ExecResult): void => {
  if (world.json) return world.out.write(`${jsonLine(ran)}\n`);
  put(world.out, Buffer.from(ran.stdout, "base64"));
  put(world.err, Buffer.from(ran.stderr, "base64"));
  const { err, program } = world;
  const tell = (words: string): void =>
    err.write(`${err.palette.yellow(`${program}:`)} ${words}\n`);
  if (ran.stdout_truncated)
    tell(`This is the end of ${size(ran.stdout_bytes)} on stdout.`);
  if (ran.stderr_truncated)
    tell(`This is the end of ${size(ran.stderr_bytes)} on stderr.`);
  if (ran.timed_out)
    tell("The command was ended at its deadline; see --timeout.");
};

/** A terminal would obey what is in it; a file or a pipe gets every byte. */
const put = (sink: Sink, bytes: Buffer): void =>
  sink.isTerminal
    ? sink.write(sanitize(bytes.toString("utf8")))
    : sink.write(bytes);

/** As shells have it. */
const exitOf = ({ timed_out, exit_code, signal }: ExecResult): number => {
  if (timed_out) return TIMED_OUT;
  if (exit_code !== null) return exit_code;
  const number = Object.entries(constants.signals).find(
    ([name]) => name === signal,
  )?.[1];
  return 128 + (number ?? 0);
};
