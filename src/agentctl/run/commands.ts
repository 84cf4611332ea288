/** The commands that run at this place. Each is bound to the request that began it, and to the link that brought that. */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { agentOf } from "../../agents/registry.ts";
import { isSetAside } from "../../contract/agent/mcp-secret.ts";
import { CommandId, type SessionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkParams, LinkResult } from "../../contract/link/link.ts";
import { hasErrno } from "../../kit/errno.ts";
import { remove, writeDurably } from "../../kit/files/durable-file.ts";
import { endMarked } from "../../kit/processes/marked-processes.ts";
import type { Owner } from "../base/owners.ts";
import { agentWhere } from "../daemon/agent-where.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { withKeptPath } from "../daemon/kept-path.ts";
import { MARKS, SESSION_MARK } from "../processes/process-list.ts";
import {
  type CommandDirectory,
  inCommandDirectory,
} from "./command-directory.ts";
import { environmentInside, sandboxPrefix } from "../sandbox/sandboxed.ts";
import { type Command, type Ran, runCommand } from "./run-command.ts";

type Order = LinkParams<"exec">;

const MAX_COMMANDS = 16;
const END_LEFT_MS = 5000;

interface Running {
  owner: Owner;
  session: SessionId;
  cancel: AbortController;
  over: Promise<unknown>;
}

interface From {
  owner: Owner;
  /** Aborted when the link is gone. */
  gone: AbortSignal;
}

export class Commands {
  readonly #daemon: Daemon;
  /** A file for each that may have processes: names alone. */
  readonly #directory: string;
  readonly #running = new Map<CommandId, Running>();

  constructor(daemon: Daemon) {
    this.#daemon = daemon;
    this.#directory = join(daemon.directory, "commands");
  }

  async run(order: Order, { owner, gone }: From): Promise<LinkResult<"exec">> {
    const { command_id: id, session_id: session } = order;
    if (this.#running.has(id))
      throw new LinkError("invalid_params", `${id} runs already`);
    if (this.#running.size >= MAX_COMMANDS)
      throw new LinkError(
        "too_many_commands",
        `${MAX_COMMANDS} commands run here already. Try again when one of them is over.`,
      );
    const cancel = new AbortController();
    const until = AbortSignal.any([cancel.signal, gone]);
    const ran = this.#run(order, until).finally(() => this.#running.delete(id));
    const over = ran.catch(() => undefined);
    this.#running.set(id, { owner, session, cancel, over });
    const { stdout, stderr, allGone: _, ...outcome } = await ran;
    return {
      ...outcome,
      stdout: stdout.toString("base64"),
      stderr: stderr.toString("base64"),
    };
  }

  async #run(order: Order, until: AbortSignal): Promise<Ran> {
    return inCommandDirectory(this.#daemon.files, order, (directory) =>
      this.#runIn(directory, order, until),
    );
  }

  async #runIn(
    { held: cwd, name }: CommandDirectory,
    order: Order,
    until: AbortSignal,
  ): Promise<Ran> {
    const { command_id: id } = order;
    const env = await environmentFor(this.#daemon, order, name);
    const { argv, stdin, timeout_ms: timeoutMs } = order;
    const mark = markOf(id);
    if (until.aborted)
      throw new LinkError("command_not_started", "Nobody waits for it.");
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, id);
    await writeDurably(file, "");
    const ran = await this.#begin(order, { argv, env }, name, (inside) =>
      started({ ...inside, cwd, mark, stdin, timeoutMs }, until),
    ).catch(async (error: unknown) => {
      await remove(file);
      throw error;
    });
    if (ran.allGone) await remove(file).catch(() => undefined);
    else this.#daemon.log("processes of a command cannot be ended", { id });
    if (order.agent.definition.sandbox !== undefined) refuseMissing(argv, ran);
    return ran;
  }

  async #begin(
    order: Order,
    command: Pick<Command, "argv" | "env">,
    name: string,
    run: (inside: Inside) => Promise<Ran>,
  ): Promise<Ran> {
    try {
      return await run(await inSandbox(this.#daemon, order, command, name));
    } finally {
      await this.#daemon.proxies.close(order.command_id);
    }
  }

  /** What belongs to another owner is not here for this one. */
  cancel(owner: Owner, id: CommandId): void {
    const running = this.#running.get(id);
    if (running?.owner === owner) running.cancel.abort();
  }

  /** Those that run for somebody else. */
  foreign(owner: Owner): Set<string> {
    const others = [...this.#running].filter(([, it]) => it.owner !== owner);
    return new Set(others.map(([id]) => id));
  }

  /** Ends all, or those of one session, and sees them gone. */
  async end(session?: SessionId): Promise<void> {
    const ending = [...this.#running.values()].filter(
      (it) => session === undefined || it.session === session,
    );
    for (const { cancel } of ending) cancel.abort();
    await Promise.all(ending.map(({ over }) => over));
  }

  /** Ends what commands of an agentctl before us left: whoever waited for them is gone. */
  async endLeft(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    await Promise.all(names.map((name) => this.#endLeft(name)));
  }

  async #endLeft(name: string): Promise<void> {
    const id = CommandId.safeParse(name).data;
    if (id === undefined) return;
    if (await endMarked(markOf(id), END_LEFT_MS))
      return remove(join(this.#directory, name));
    this.#daemon.log("processes of a command cannot be ended", { id });
  }
}

const markOf = (id: CommandId): string => `${MARKS.exec}=${id}`;

/** What the session's agent would get, without what is ours, and with a mark of its own. */
const environmentFor = async (
  daemon: Daemon,
  { command_id, session_id, agent: sent, env }: Order,
  cwd: string,
): Promise<Record<string, string>> => {
  const session = await withKeptPath(daemon, session_id, sent);
  const { definition, override } = session;
  const agent = agentOf(definition.agent, override) ?? {};
  const where = agentWhere(daemon, agent, { ...session, session_id }, cwd);
  const theirs = Object.entries(where.env ?? {}).filter(
    ([name]) => !isSetAside(name) && !name.startsWith("REPRISE_"),
  );
  return {
    ...Object.fromEntries(theirs),
    ...env,
    PWD: cwd,
    [MARKS.exec]: command_id,
    [SESSION_MARK]: session_id,
  };
};

type Inside = Pick<Command, "argv" | "env" | "isSandboxed">;

/** Its directory is entered by its name, which leads nowhere else in there. */
const inSandbox = async (
  daemon: Daemon,
  {
    command_id: id,
    session_id,
    cwd,
    agent: { definition, override, env: person },
  }: Order,
  command: Pick<Command, "argv" | "env">,
  name: string,
): Promise<Inside> => {
  const { sandbox } = definition;
  if (sandbox === undefined) return { ...command, isSandboxed: false };
  const env = environmentInside(command.env, sandbox);
  const prefix = await sandboxPrefix(daemon, {
    id,
    sandbox,
    session_id,
    agent: agentOf(definition.agent, override) ?? undefined,
    cwd,
    env,
    given: command.env,
    person,
    // Whoever asks for a command may name any file.
    argv: [],
    within: name,
  });
  return { argv: [...prefix, ...command.argv], env, isSandboxed: true };
};

/** Bubblewrap finds out in there whether there is such a program. */
const refuseMissing = (
  [program]: readonly string[],
  { exit_code, stderr }: Ran,
): void => {
  if (exit_code !== 1 || !stderr.toString().startsWith("bwrap: execvp")) return;
  throw new LinkError(
    "command_not_started",
    `${program} could not be started: there is no such program in the sandbox of the session.`,
  );
};

const started = async (command: Command, until: AbortSignal): Promise<Ran> => {
  try {
    return await runCommand(command, until);
  } catch (error) {
    const why = reasons.find(([code]) => hasErrno(error, code))?.[1];
    if (why === undefined) throw error;
    throw new LinkError(
      "command_not_started",
      `${command.argv[0]} could not be started: ${why}.`,
    );
  }
};

const reasons = [
  ["ENOENT", "there is no such program in the session's PATH"],
  ["EACCES", "it may not be executed"],
  ["ENOEXEC", "it is no program"],
  ["ENOTDIR", "a part of its path is no directory"],
  ["ELOOP", "its links lead in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
  ["E2BIG", "its arguments and environment are too long"],
  ["EAGAIN", "there are too many processes"],
  ["ENOMEM", "there is not enough memory"],
] as const;
