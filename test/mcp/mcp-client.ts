/** MCP clients for tests: the SDK's own, in both eras of the protocol, over both doors. */
import { join } from "node:path";
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod";
import type { Client as Api } from "../../src/client/client.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import type { Times } from "../../src/mcp/base/parts.ts";
import { mcpOverHttp } from "../../src/mcp/http.ts";
import { root } from "../e2e/house.ts";
import type { Scene } from "../e2e/shared-house.ts";

export const eras = ["legacy", "modern"] as const;
export type Era = (typeof eras)[number];
export const doors = ["stdio", "http"] as const;
export type DoorName = (typeof doors)[number];

export const bin = join(process.env["TEST_PRODUCT"] ?? root, "bin/reprise");
const MODERN = "2026-07-28";

export interface McpOptions {
  era: Era;
  door: DoorName;
  name?: string;
  /** Answers forms; without it the client shows none. */
  onForm?: (message: string) => ElicitResult | Promise<ElicitResult>;
  takesTasks?: boolean;
  args?: string[];
  env?: Record<string, string>;
  /** Over HTTP: the door is opened in this process, with times of its own. */
  times?: Partial<Times>;
  /** Over such a door: what it reaches the server with, and what the end of a call means. */
  through?: Api;
  onCancel?: "detach" | "cancel";
  /** Over HTTP: what every request says besides. */
  headers?: Record<string, string>;
}

export interface Connected extends AsyncDisposable {
  client: Client;
  /** The process of the stdio door. */
  pid: number | null;
  /** Every message that the door sent. */
  received: JSONRPCMessage[];
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Answer>;
}

export interface CallOptions {
  signal?: AbortSignal;
  meta?: Record<string, unknown>;
  onprogress?: (message: string) => void;
}

export interface Answer {
  text: string;
  isError: boolean;
  data: Record<string, unknown>;
}

const Text = z.array(z.object({ type: z.literal("text"), text: z.string() }));

export const connectMcp = async (
  scene: Scene,
  options: McpOptions,
): Promise<Connected> => {
  const { era, door, onForm } = options;
  const capabilities: ClientCapabilities = {
    ...(onForm !== undefined && { elicitation: { form: {} } }),
    ...(options.takesTasks === true && {
      extensions: { "io.modelcontextprotocol/tasks": {} },
    }),
  };
  const client = new Client(
    { name: options.name ?? "a-test", version: "1" },
    {
      capabilities,
      versionNegotiation: {
        mode: era === "modern" ? { pin: MODERN } : "legacy",
      },
    },
  );
  if (onForm !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) =>
      onForm(params.message),
    );
  const transport =
    door === "stdio" ? overStdio(scene, options) : overHttp(scene, options);
  await client.connect(transport);
  const received: JSONRPCMessage[] = [];
  const { onmessage } = transport;
  Object.assign(transport, {
    onmessage(message: JSONRPCMessage) {
      received.push(message);
      onmessage?.call(transport, message);
    },
  });
  return {
    client,
    pid: transport instanceof StdioClientTransport ? transport.pid : null,
    received,
    async call(name, args = {}, { signal, meta, onprogress } = {}) {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: args, ...(meta !== undefined && { _meta: meta }) },
        {
          timeout: patience(120_000),
          ...(signal !== undefined && { signal }),
          ...(onprogress !== undefined && {
            onprogress: ({ message }) => onprogress(message ?? ""),
          }),
        },
      );
      return {
        text: Text.parse(content)
          .map((each) => each.text)
          .join(""),
        isError: isError === true,
        data: z
          .record(z.string(), z.unknown())
          .default({})
          .parse(structuredContent),
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
};

const overStdio = (
  { house, workspace }: Scene,
  { args = [], env = {} }: McpOptions,
): StdioClientTransport =>
  new StdioClientTransport({
    command: bin,
    args: ["mcp", ...args],
    cwd: workspace,
    env: definedOnly(house.env({ REPRISE_PORT: "0", ...env })),
  });

const overHttp = (
  { server, client }: Scene,
  { times, name, through, onCancel, headers }: McpOptions,
): StreamableHTTPClientTransport => {
  const inProcess =
    times &&
    mcpOverHttp({
      client: through ?? client,
      version: "1.2.3",
      cwd: null,
      callerEnv: async () => ({}),
      sessionsDirectory: async () => null,
      stateKey: async () => "a secret",
      onCancel: onCancel ?? "detach",
      depth: 0,
      calledBy: null,
      closing: new AbortController().signal,
      times,
    });
  return new StreamableHTTPClientTransport(new URL("/mcp", server.url), {
    requestInit: {
      headers: {
        authorization: `Bearer ${server.token}`,
        ...(name !== undefined && { "user-agent": name }),
        ...headers,
      },
    },
    ...(inProcess !== undefined && {
      fetch: (url, init) => inProcess(new Request(url, init)),
    }),
  });
};

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
