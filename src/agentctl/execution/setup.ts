import { noOptions } from "../../agents/agent/agent-options.ts";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { briefingOf } from "../../contract/agent/briefing.ts";
import { filledIn } from "../../contract/agent/mcp-secret.ts";
import type { Open, Setup } from "../drivers/driver.ts";
import type { Execution } from "./execution.ts";

const RESOURCE_NOT_FOUND = -32002;

/** Only what the agent is told holds the values; what is written down does not. */
const withValues = (
  definition: AgentDefinition,
  env: Readonly<Record<string, string>>,
): AgentDefinition =>
  definition.mcp_servers === undefined
    ? definition
    : { ...definition, mcp_servers: filledIn(definition.mcp_servers, env) };

/** What the driver has to know of an execution. */
export const setupOf = (execution: Execution, open: Open): Setup => {
  const { agent, ordered, daemon, history } = execution;
  const definition = withValues(ordered.definition, execution.env);
  const { meta, limits, model, settings } =
    agent?.options?.(definition) ?? noOptions;
  return {
    incarnation: daemon.incarnation,
    epoch: ordered.epoch,
    cwd: ordered.cwd,
    definition,
    briefing: briefingOf(definition, { tools: !limits }),
    open,
    agent: {
      native: agent?.native ?? false,
      injection: agent?.injection ?? false,
      isUnknownSession: (error) =>
        error.code === RESOURCE_NOT_FOUND ||
        agent?.isUnknownSession?.(error) === true,
      resumesAt: agent?.driver === "stream-json",
      replayTrails: agent?.quirks?.replayTrails ?? false,
      corrections: agent?.quirks?.corrections ?? [],
      meta,
      settings,
      keepsLimits: limits,
      asks: (mode, chosen) =>
        history.allowsAll ? "none" : (agent?.asks?.(mode, chosen) ?? "some"),
      ownMode: history.ownMode,
      hasModel: model || agent?.variables?.model !== undefined,
    },
  };
};
