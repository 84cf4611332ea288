import { randomUUID } from "node:crypto";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import { unreachable } from "../../../kit/unreachable.ts";
import { blank, interpretClaude } from "./claude-lines.ts";
import { claudeMcp } from "./claude-mcp.ts";
import { type Dialect, listening, type Thread } from "../dialect/dialect.ts";
import { isUuid } from "../dialect/is-uuid.ts";
import { blockText } from "../dialect/prompt-text.ts";
import type { CliDefinition } from "../../../agents/launch/stream-json-definition.ts";

const always = [
  "-p",
  "--verbose",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--include-partial-messages",
  "--permission-prompt-tool=stdio",
];

/** Claude Code: prompts and answers on stdin, everything else on stdout. */
export const claude: Dialect = {
  name: "Claude Code",
  images: true,
  mcp: true,
  fork: true,
  modes: [
    { id: "manual", name: "Ask before each action" },
    { id: "acceptEdits", name: "Accept edits" },
    { id: "plan", name: "Plan only" },
    { id: "dontAsk", name: "Deny what would be asked" },
    { id: "auto", name: "Let a classifier decide" },
    { id: "bypassPermissions", name: "Allow everything" },
  ],
  newId: () => randomUUID(),
  isId: isUuid,
  launch: ({ thread, prompt, mode, definition, mcpServers }) => {
    const mcp = claudeMcp(mcpServers);
    return {
      args: [
        ...always,
        ...claudeDefinition(definition),
        ...threadArgs(thread),
        ...(mode === null ? [] : [`--permission-mode=${mode}`]),
        ...mcp.args,
      ],
      env: mcp.env,
      input: line({
        type: "user",
        message: { role: "user", content: prompt.map(claudeContent) },
      }),
      talks: true,
    };
  },
  lookup: {
    kind: "run",
    run: (id) => ({
      args: [...always, `--resume=${id}`],
      env: {},
      input: line({
        type: "control_request",
        request_id: "lookup",
        request: { subtype: "initialize" },
      }),
      talks: false,
    }),
  },
  listen: () => listening(blank, interpretClaude),
};

const threadArgs = (thread: Thread): string[] => {
  switch (thread.kind) {
    case "new":
      return thread.id === null ? [] : [`--session-id=${thread.id}`];
    case "known":
      return [`--resume=${thread.id}`, ...atArgs(thread.at)];
    case "fork":
      return [
        `--resume=${thread.of}`,
        "--fork-session",
        ...(thread.id === null ? [] : [`--session-id=${thread.id}`]),
        ...atArgs(thread.at),
      ];
    default:
      return unreachable(thread);
  }
};

const atArgs = (at: string | null): string[] =>
  at === null ? [] : [`--resume-session-at=${at}`];

const claudeContent = (block: ContentBlock): object =>
  block.type === "image"
    ? {
        type: "image",
        source: {
          type: "base64",
          media_type: block.mimeType,
          data: block.data,
        },
      }
    : { type: "text", text: blockText(block) };

const line = (message: object): string => `${JSON.stringify(message)}\n`;

/** It wants a form filled in, and ACP has none: without it the model asks in words. */
const NOT_SHOWN = "AskUserQuestion";

const claudeDefinition = ({
  model,
  offered,
  withheld,
  settings,
}: CliDefinition): string[] => [
  `--disallowedTools=${[NOT_SHOWN, ...withheld].join(",")}`,
  ...(offered === null ? [] : [`--tools=${offered.join(",")}`]),
  ...(model === null ? [] : [`--model=${model}`]),
  ...(settings === null ? [] : [`--settings=${settings}`]),
];
