import { unreachable } from "../../kit/unreachable.ts";
import { blank, interpretClaude } from "./claude/claude-lines.ts";
import { type Dialect, listening, type Thread } from "./dialect/dialect.ts";
import { promptText } from "./dialect/prompt-text.ts";

/** Amp by its documentation: the lines of Claude Code, threads that it names itself, nothing asked of a host. */
export const amp: Dialect = {
  name: "Amp",
  images: false,
  mcp: false,
  fork: false,
  modes: [],
  newId: () => null,
  isId: (id) => /^T-[0-9a-f-]{36}$/i.test(id),
  launch: ({ thread, prompt }) => ({
    args: [
      ...threadArgs(thread),
      "--execute",
      "--stream-json",
      "--stream-json-input",
    ],
    env: {},
    input: `${JSON.stringify({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "text", text: promptText(prompt) }],
      },
    })}\n`,
    talks: false,
  }),
  lookup: { kind: "none" },
  listen: () => listening(blank, interpretClaude),
};

const threadArgs = (thread: Thread): string[] => {
  switch (thread.kind) {
    case "new":
      return [];
    case "known":
      return ["threads", "continue", thread.id];
    case "fork":
      throw new Error("Amp's threads are not forked");
    default:
      return unreachable(thread);
  }
};
