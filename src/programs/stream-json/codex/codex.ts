import { unreachable } from "../../../kit/unreachable.ts";
import { findRollout } from "../../../agents/codex/codex-sessions.ts";
import { begun, interpretCodex } from "./codex-lines.ts";
import { codexMcp } from "./codex-mcp.ts";
import { type Dialect, listening, type Thread } from "../dialect/dialect.ts";
import { isUuid } from "../dialect/is-uuid.ts";
import { promptText } from "../dialect/prompt-text.ts";

/** Codex's `exec`: it names its threads itself, reads the prompt from stdin to its end, and asks nothing. */
export const codex: Dialect = {
  name: "Codex",
  images: false,
  mcp: true,
  fork: true,
  modes: [
    { id: "read-only", name: "Read only" },
    { id: "workspace-write", name: "Write in the workspace" },
    { id: "danger-full-access", name: "Full access" },
  ],
  newId: () => null,
  // It takes any other text for a name and starts a new thread.
  isId: isUuid,
  launch: ({ thread, prompt, mode, definition, mcpServers }) => {
    const mcp = codexMcp(mcpServers);
    return {
      args: [
        "exec",
        ...commandOf(thread),
        "--json",
        "--skip-git-repo-check",
        ...(mode === null ? [] : ["-c", `sandbox_mode="${mode}"`]),
        ...(definition.model === null ? [] : [`--model=${definition.model}`]),
        ...mcp.args,
        ...idOf(thread),
        "-",
      ],
      env: mcp.env,
      // On a command line everybody could read it, and it would have to be short.
      input: promptText(prompt),
      talks: false,
    };
  },
  lookup: { kind: "file", find: findRollout },
  listen: (run) => listening(begun(run), interpretCodex),
};

const commandOf = (thread: Thread): string[] => {
  switch (thread.kind) {
    case "new":
      return [];
    case "known":
      return ["resume"];
    case "fork":
      return ["fork"];
    default:
      return unreachable(thread);
  }
};

const idOf = (thread: Thread): string[] => {
  switch (thread.kind) {
    case "new":
      return [];
    case "known":
      return [thread.id];
    case "fork":
      return [thread.of];
    default:
      return unreachable(thread);
  }
};
