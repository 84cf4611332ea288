import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Client } from "../../client/client.ts";
import type { ApplyTaskRequest } from "../../contract/api/task-request.ts";
import { isOnHost } from "../../contract/base/executor-name.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Task } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { taskNamed } from "../server/find.ts";
import { directory } from "../session/shared/place.ts";
import { answer } from "../terminal/print.ts";
import { quoted } from "../terminal/quoted.ts";
import type { World } from "../terminal/world.ts";
import { type TaskDocument, taskDocuments } from "./task-documents.ts";

export const apply = command({
  name: "apply",
  summary: "Create and update tasks from a file",
  about:
    "The file is YAML, with one task in each document: apiVersion (reprise/v1), kind (Task), name, title, and what else `reprise task create` takes, such as description, agent, cwd or worktree, executor, host, image, timeout_minutes, retry, context and run. A task whose name is new is created, one that exists is changed to match the file, and one that matches already is left alone. Contexts can be added to the end of the list; the title and the description cannot change after the first attempt. A relative cwd is relative to the file, and without one it is the file's directory; on a host it is what it is there.",
  args: [],
  options: {
    file: {
      kind: "text",
      short: "f",
      value: "FILE",
      required: true,
      help: "the file; - reads standard input",
    },
  },
  examples: [
    "reprise apply -f tasks.yaml",
    "sed s/AGENT/demo/ tasks.yaml | reprise apply -f -",
  ],
  async run({ options }, world) {
    const { text, file, base } = await read(world, options.file);
    const documents = await taskDocuments(text, file);
    const client = await world.client();
    const env = await callerEnv(world);
    for (const document of documents) {
      const place = await placeOf(world, base, document.request);
      const request = { ...document.request, ...place, ...env };
      const { change, task } = await applied(client, document, request);
      answer(
        world,
        { change, task },
        () =>
          `${task.name ?? document.name} ${change}: ${task.id} is ${task.state}.`,
      );
    }
    return 0;
  },
});

interface Source {
  text: string;
  /** As a person calls it. */
  file: string;
  /** What relative paths in it are relative to. */
  base: string;
}

const read = async (world: World, given: string): Promise<Source> => {
  if (given === "-")
    return {
      text: decoded(await world.stdin(), "Standard input"),
      file: "standard input",
      base: world.cwd,
    };
  const path = resolve(world.cwd, given);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  });
  return { text: decoded(bytes, path), file: given, base: dirname(path) };
};

const decoded = (bytes: Uint8Array, source: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source} is not text in UTF-8.`);
  }
};

const placeOf = async (
  { env }: Pick<World, "env">,
  base: string,
  { cwd, worktree, executor, host }: ApplyTaskRequest,
): Promise<Pick<ApplyTaskRequest, "cwd" | "worktree">> => {
  if (isOnHost({ executor, host })) return {};
  const whole = (path: string): Promise<string> =>
    directory({ cwd: base }, withHome(path, env["HOME"] ?? homedir()));
  return worktree === undefined
    ? { cwd: await whole(cwd ?? ".") }
    : { worktree: await whole(worktree) };
};

/** No shell has read the file. */
const withHome = (path: string, home: string): string =>
  path.startsWith("~/") ? join(home, path.slice(2)) : path;

interface Applied {
  change: "created" | "updated" | "unchanged";
  task: Task;
}

const applied = async (
  client: Client,
  { name, source }: TaskDocument,
  request: ApplyTaskRequest,
): Promise<Applied> => {
  try {
    const before = await taskNamed(client, name);
    const task = await client.applyTask(name, request);
    if (before === null) return { change: "created", task };
    const isSame =
      task.last_seq === before.last_seq || !(await hasChanged(client, before));
    return { change: isSame ? "unchanged" : "updated", task };
  } catch (error) {
    throw error instanceof RepriseError
      ? located(error, `${source}, task ${quoted(name)}`)
      : error;
  }
};

/** A task that runs has events of its own: only those count that an order leaves behind. */
const hasChanged = async (
  client: Client,
  { id, last_seq }: Task,
): Promise<boolean> => {
  const { events } = await client.listTaskEvents(id, { after: last_seq });
  return events.some(isOrdered);
};

const isOrdered = (event: TaskEvent): boolean =>
  event.type === "task.described" ||
  event.type === "task.context.added" ||
  (event.type === "task.attempt.started" && event.data.mode === "first");

/** The same refusal, with the place in the file that it is about. */
const located = (error: RepriseError, source: string): RepriseError =>
  new RepriseError(error.code, `${source}: ${error.message}`, {
    cause: error,
    ...(error.state === undefined ? {} : { state: error.state }),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
  });
