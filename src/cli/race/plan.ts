/** What a race is to be, from what was typed. Everything that can be wrong is found before anything is started. */
import type { Client } from "../../client/client.ts";
import { MAX_RUNS } from "../../contract/api/race-route.ts";
import { TaskName } from "../../contract/api/task-request.ts";
import { AgentId } from "../../contract/agent/agent.ts";
import type { PermissionDefault } from "../../contract/agent/permission.ts";
import type { Session } from "../../contract/session/session.ts";
import type { ExecutorKind } from "../../contract/base/executor-name.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { findSession } from "../server/find.ts";
import { directory, placeIn } from "../session/shared/place.ts";
import type { World } from "../terminal/world.ts";

export interface RaceOrder {
  name: string;
  prompt: string;
  /** The agent of each run. Runs are numbered from 1. */
  agents: readonly string[];
  from:
    | {
        kind: "worktree";
        repository: string;
        permissions?: PermissionDefault;
        executor?: ExecutorKind;
      }
    | { kind: "fork"; session: Session };
}

interface Typed {
  prompt: string;
  agents: string | undefined;
  n: number | undefined;
  cwd: string | undefined;
  session: string | undefined;
  name: string | undefined;
  permissions: PermissionDefault | undefined;
  executor: string | undefined;
  host: string | undefined;
  image: string | undefined;
}

export const plan = async (
  world: World,
  client: Client,
  typed: Typed,
): Promise<RaceOrder> => {
  if (typed.session !== undefined && typed.cwd !== undefined)
    throw new UsageError("Give either --cwd or --session.");
  if (typed.session !== undefined && typed.permissions !== undefined)
    throw new UsageError(
      "A fork has the permissions of its session: leave out --permissions.",
    );
  const executor = executorOf(typed);
  const name = nameOf(typed.name);
  const names = agentsOf(typed.agents);
  if (typed.session === undefined) {
    const { permissions } = typed;
    const repository = await directory(world, typed.cwd);
    return {
      name,
      prompt: typed.prompt,
      agents: repeated(names ?? ["demo"], typed.n),
      from: {
        kind: "worktree",
        repository,
        ...(permissions !== undefined && { permissions }),
        ...(executor !== undefined && { executor }),
      },
    };
  }
  const id = await findSession(client, typed.session);
  const session = await client.showSession(id);
  return {
    name,
    prompt: typed.prompt,
    agents: repeated(names ?? [session.agent], typed.n),
    from: { kind: "fork", session },
  };
};

/** Runs work in worktrees of the server's machine, or where the session of their fork does. */
const executorOf = (typed: Typed): ExecutorKind | undefined => {
  const { executor, host, image } = placeIn(typed);
  const isSaid = [executor, host, image].some((each) => each !== undefined);
  if (isSaid && typed.session !== undefined)
    throw new UsageError(
      "A fork works where its session does: leave out --executor, --host and --image.",
    );
  if (
    isSaid &&
    (executor !== "standalone" || host !== undefined || image !== undefined)
  )
    throw new UsageError(
      "The runs of a race work in git worktrees, which can be made on the machine of the server only: leave out --host and --image, and any --executor but standalone.",
    );
  return executor;
};

/** Part of idempotency keys and of the sessions' names. */
const nameOf = (given: string | undefined): string => {
  const name = given ?? `race-${crypto.randomUUID().slice(0, 8)}`;
  if (TaskName.safeParse(name).success) return name;
  throw new UsageError(
    `"${name}" cannot be the name of a race: letters, digits, dots, dashes and underscores, 100 at most.`,
  );
};

const agentsOf = (list: string | undefined): string[] | null => {
  if (list === undefined) return null;
  const names = list.split(",").map((each) => each.trim());
  for (const name of names)
    if (!AgentId.safeParse(name).success)
      throw new UsageError(
        `--agents "${list}" is not a list of agents or profiles. Write --agents claude,codex; \`reprise agents\` lists them.`,
      );
  return names;
};

const repeated = (names: readonly string[], n = 1): string[] => {
  if (n < 1) throw new UsageError("--n must be at least 1.");
  const all = names.flatMap((name) => Array.from({ length: n }, () => name));
  if (all.length <= MAX_RUNS) return all;
  throw new UsageError(
    `That would be ${all.length} runs; a race has at most ${MAX_RUNS}.`,
  );
};
