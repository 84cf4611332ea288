import type {
  PlanEntry,
  ToolCall,
  ToolCallContent,
  ToolKind,
} from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";

/** How a tool of Claude Code, or of a CLI that took its format over, is shown. */
export const shownTool = (
  id: string,
  name: string,
  rawInput: unknown,
): ToolCall => {
  const input = Input.parse(rawInput);
  const path = input.file_path ?? input.notebook_path ?? input.path;
  const content = diffsOf(input);
  return {
    toolCallId: id,
    title: titleOf(name, path, input),
    name,
    kind: kinds[name] ?? "other",
    status: "in_progress",
    rawInput,
    ...(path === undefined ? {} : { locations: [{ path }] }),
    ...(content.length === 0 ? {} : { content }),
  };
};

/** The list of things to do that this call sets, or null when it sets none. */
export const planOf = (name: string, input: unknown): PlanEntry[] | null => {
  if (name !== "TodoWrite" && name !== "todo_write") return null;
  const todos = Todos.safeParse(input).data?.todos;
  if (todos === undefined) return null;
  return todos.map(({ content, status, priority }) => ({
    content,
    status: status === "in-progress" ? "in_progress" : status,
    priority,
  }));
};

const LONGEST_TITLE = 200;

const kinds: Record<string, ToolKind> = {
  Read: "read",
  NotebookRead: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  edit_file: "edit",
  create_file: "edit",
  Bash: "execute",
  Grep: "search",
  Glob: "search",
  LS: "search",
  WebSearch: "search",
  WebFetch: "fetch",
  Task: "think",
  ExitPlanMode: "switch_mode",
};

const text = z.string().optional().catch(undefined);

const Replacement = z.object({
  old_string: z.string(),
  new_string: z.string(),
});

/** The fields that tools share. Lenient: a tool that we never saw is shown by its name. */
const Input = z
  .object({
    file_path: text,
    notebook_path: text,
    path: text,
    command: text,
    cmd: text,
    pattern: text,
    query: text,
    url: text,
    description: text,
    content: text,
    old_string: text,
    new_string: text,
    edits: z.array(Replacement).optional().catch(undefined),
  })
  .catch({});
type Input = z.infer<typeof Input>;

const titleOf = (
  name: string,
  path: string | undefined,
  input: Input,
): string => {
  const command = input.command ?? input.cmd;
  const about =
    path ?? input.pattern ?? input.query ?? input.url ?? input.description;
  const title = command ?? (about === undefined ? name : `${name} ${about}`);
  return title.slice(0, LONGEST_TITLE);
};

const diffsOf = (input: Input): ToolCallContent[] => {
  const { file_path: path, content, old_string, new_string, edits } = input;
  if (path === undefined) return [];
  const diff = (oldText: string | null, newText: string): ToolCallContent => ({
    type: "diff",
    path,
    oldText,
    newText,
  });
  if (edits !== undefined)
    return edits.map((edit) => diff(edit.old_string, edit.new_string));
  if (old_string !== undefined && new_string !== undefined)
    return [diff(old_string, new_string)];
  return content === undefined ? [] : [diff(null, content)];
};

const Todos = z.object({
  todos: z.array(
    z.object({
      content: z.string(),
      status: z
        .enum(["pending", "in_progress", "in-progress", "completed"])
        .catch("pending"),
      priority: z.enum(["high", "medium", "low"]).catch("medium"),
    }),
  ),
});
