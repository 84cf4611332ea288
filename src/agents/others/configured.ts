import type { AgentOverride } from "../../contract/agent/agent.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { locateCommand, overridden } from "../overrides/overridden.ts";

/** An ACP agent that only the configuration knows. Nothing is held against it: its handshake says what it can do. */
export const configured = (
  id: string,
  command: readonly string[],
  override: AgentOverride,
): Agent =>
  overridden(
    {
      id,
      name: id,
      driver: "acp",
      program: command[0],
      configured: true,
      native: true,
      injection: true,
      install: null,
      locate: ({ path }) => locateCommand(command, path),
      isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
    },
    override,
  );
