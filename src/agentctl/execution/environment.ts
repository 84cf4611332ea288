import { join } from "node:path";
import type { Agent } from "../../agents/agent/agent.ts";
import type { Launch } from "../../agents/launch/launch.ts";
import { privateHome } from "../../agents/launch/private-home.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { hasOwnHome } from "../../contract/agent/sandbox.ts";
import { isSetAside } from "../../contract/agent/mcp-secret.ts";
import { writeDurably } from "../../kit/files/durable-file.ts";
import { homeOf } from "../daemon/agent-where.ts";
import type { Execution } from "./execution.ts";

/** What an agent gets to see: what the order says and what the agent needs. Nothing of ours is inherited. */
export const environmentFor = async (
  execution: Execution,
  agent: Agent,
  order: StartOrder,
  found: Launch,
): Promise<Record<string, string>> => {
  const hidden = new Set(found.unset);
  const asked = Object.fromEntries(
    Object.entries(order.env).filter(([name]) => !hidden.has(name)),
  );
  return {
    ...found.defaults,
    ...(await filesFor(execution, found.files ?? {})),
    ...asked,
    ...found.env,
    ...(await definitionFor(execution, agent, order)),
    ...(await homeFor(execution, agent, order)),
    PWD: order.cwd,
    REPRISE_HIDE: Object.keys(order.env).filter(isSetAside).join(" "),
    REPRISE_EXECUTION: execution.id,
    REPRISE_SESSION_ID: order.session_id,
  };
};

/** Variables that name a file of ours each. */
const filesFor = async (
  { files }: Execution,
  texts: NonNullable<Launch["files"]>,
): Promise<Record<string, string>> => {
  const named: Record<string, string> = {};
  for (const [variable, text] of Object.entries(texts)) {
    const path = join(files.directory, `${variable.toLowerCase()}.json`);
    await writeDurably(path, text);
    named[variable] = path;
  }
  return named;
};

/** What the session's definition says that the agent has to know when it starts. */
const definitionFor = async (
  execution: Execution,
  { variables = {} }: Agent,
  { definition }: StartOrder,
): Promise<Record<string, string>> => {
  const { model, settings } = definition;
  return {
    ...(variables.model === undefined || model === undefined
      ? {}
      : { [variables.model]: model }),
    ...(variables.settings === undefined || settings === undefined
      ? {}
      : await filesFor(execution, {
          [variables.settings]: JSON.stringify(settings),
        })),
  };
};

/** A home of its own, when the session is to have one and the agent can be given one. */
const homeFor = async (
  execution: Execution,
  agent: Agent,
  { definition, session_id, env }: StartOrder,
): Promise<Record<string, string>> => {
  if (!hasOwnHome(definition)) return {};
  const { home, login } = agent;
  if (home === undefined) {
    if (definition.sandbox === undefined)
      execution.notice(
        "home_not_private",
        `${agent.name} cannot be given a home of its own: it runs with yours.`,
      );
    else
      execution.notice(
        "home_not_kept",
        `${agent.name} cannot be given a home of its own: what it writes to its home in the sandbox is gone when it ends.`,
      );
    return {};
  }
  return privateHome(
    { home, ...(login && { login }) },
    { home: env["HOME"] ?? "", env },
    homeOf(execution.daemon, session_id),
  );
};
