import { AGENT_METHODS, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type {
  ContentBlock as AcpContent,
  InitializeRequest,
  McpServer as AcpMcpServer,
} from "@agentclientprotocol/sdk";
import { AT_MESSAGE } from "../../../agents/launch/at-message.ts";
import type { Abilities, McpServer } from "../../../contract/agent/agent.ts";
import type { OfferedOption } from "../../../contract/agent/offered.ts";
import type { ContentBlock } from "../../../contract/base/content.ts";
import type { PromptId } from "../../../contract/base/id.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import type { Effect, Outgoing, Purpose, Setup } from "../driver.ts";
import { requestId, type RpcId } from "./message.ts";
import type { Slot } from "./state.ts";

/** Every message we send to an ACP agent. */

/** No `fs`, no `terminal`: an agent that needs nobody at the other end works on while we are gone. */
export const initialize = (setup: Setup): Outgoing =>
  request(setup, "initialize", AGENT_METHODS.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: "reprise", version: "1" },
  } satisfies InitializeRequest);

export const newSession = (setup: Setup, abilities: Abilities): Outgoing =>
  request(
    setup,
    "new",
    AGENT_METHODS.session_new,
    definitionOf(setup, abilities),
  );

/** With the whole definition again: what is not said again may be forgotten. */
export const nativeSession = (
  setup: Setup,
  abilities: Abilities,
  how: "resume" | "load",
  sessionId: string,
): Outgoing =>
  request(
    setup,
    how,
    how === "resume"
      ? AGENT_METHODS.session_resume
      : AGENT_METHODS.session_load,
    { sessionId, ...definitionOf(setup, abilities, atMessage(setup)) },
  );

/** A session that was put back goes on behind the message that was its last when it was saved. */
const atMessage = ({ open, agent }: Setup): Record<string, unknown> =>
  open.kind === "native" && open.at !== undefined && agent.resumesAt === true
    ? { [AT_MESSAGE]: open.at }
    : {};

/** What a session is to be like, as far as that is said when it is opened. */
const definitionOf = (
  setup: Setup,
  { system_prompt }: Abilities,
  more: Record<string, unknown> = {},
) => {
  const { briefing, cwd, agent } = setup;
  const meta = { ...agent.meta, ...more };
  return {
    cwd,
    mcpServers: mcpServers(setup),
    ...(system_prompt !== true || briefing === null
      ? {}
      : {
          systemPrompt: {
            mode: "append",
            content: [{ type: "text", text: briefing }],
          },
        }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
};

type Named = ReturnType<Slot>;

export const setMode = (
  setup: Setup,
  { what, purpose }: Named,
  sessionId: string,
  modeId: string,
): Outgoing =>
  request(
    setup,
    what,
    AGENT_METHODS.session_set_mode,
    { sessionId, modeId },
    purpose,
  );

/** Not in the standard: the older way of some agents. */
export const setModel = (
  setup: Setup,
  { what, purpose }: Named,
  sessionId: string,
  modelId: string,
): Outgoing =>
  request(setup, what, "session/set_model", { sessionId, modelId }, purpose);

export const setOption = (
  setup: Setup,
  { what, purpose }: Named,
  sessionId: string,
  { id: configId, type }: Pick<OfferedOption, "id" | "type">,
  value: string,
): Outgoing =>
  request(
    setup,
    what,
    AGENT_METHODS.session_set_config_option,
    {
      sessionId,
      configId,
      ...(type === "boolean" ? { type, value: value === "true" } : { value }),
    },
    purpose,
  );

export const prompt = (
  setup: Setup,
  sessionId: string,
  prompt_id: PromptId,
  content: readonly ContentBlock[],
): Outgoing =>
  request(
    setup,
    `prompt.${prompt_id}`,
    AGENT_METHODS.session_prompt,
    { sessionId, prompt: content.map(acpContent) },
    { kind: "prompt", prompt_id },
  );

export const cancel = (sessionId: string): Outgoing => ({
  purpose: { kind: "cancel" },
  body: {
    jsonrpc: "2.0",
    method: AGENT_METHODS.session_cancel,
    params: { sessionId },
  },
});

export const close = (setup: Setup, sessionId: string): Outgoing =>
  request(
    setup,
    "close",
    AGENT_METHODS.session_close,
    { sessionId },
    { kind: "close" },
  );

/** An unknown method: its refusal proves that everything before it was consumed. */
export const ping = (setup: Setup): Outgoing =>
  request(setup, "ping", "_reprise/ping", {}, { kind: "ping" });

/** The same, one after the other, while a session is opened. */
export const settling = (setup: Setup, round: number): Outgoing =>
  request(setup, settlingOf(round), "_reprise/ping", {});

export const settlingOf = (round: number): string => `settle.${round}`;

/** An answer to a permission request; with a null option it is cancelled. */
export const answer = (
  purpose: Purpose,
  id: RpcId,
  option_id: string | null,
): Outgoing => ({
  purpose,
  body: {
    jsonrpc: "2.0",
    id,
    result: {
      outcome:
        option_id === null
          ? { outcome: "cancelled" }
          : { outcome: "selected", optionId: option_id },
    },
  },
});

export const methodNotFound = (
  purpose: Purpose,
  id: RpcId,
  method: string,
): Outgoing => ({
  purpose,
  body: {
    jsonrpc: "2.0",
    id,
    error: { code: -32601, message: `Method not found: ${method}` },
  },
});

export const send = (message: Outgoing): Effect => ({ kind: "send", message });

const request = (
  setup: Setup,
  what: string,
  method: string,
  params: object,
  purpose: Purpose = { kind: "open", what },
): Outgoing => ({
  purpose,
  body: {
    jsonrpc: "2.0",
    id: requestId(setup.incarnation, what),
    method,
    params,
  },
});

const mcpServers = (setup: Setup): AcpMcpServer[] =>
  (setup.definition.mcp_servers ?? []).map(mcpServer);

const mcpServer = (server: McpServer): AcpMcpServer =>
  server.url === undefined
    ? {
        name: server.name,
        command: server.command ?? "",
        args: server.args ?? [],
        env: pairs(server.env),
      }
    : {
        type: "http",
        name: server.name,
        url: server.url,
        headers: pairs(server.headers),
      };

const pairs = (record: Record<string, string> = {}) =>
  Object.entries(record).map(([name, value]) => ({ name, value }));

const acpContent = (block: ContentBlock): AcpContent => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", mimeType: block.mime_type, data: block.data };
    case "resource_link":
      return { type: "resource_link", uri: block.uri, name: block.name };
    case "resource":
      return {
        type: "resource",
        resource: {
          uri: block.uri,
          text: block.text,
          ...(block.mime_type === undefined
            ? {}
            : { mimeType: block.mime_type }),
        },
      };
    default:
      return unreachable(block);
  }
};
