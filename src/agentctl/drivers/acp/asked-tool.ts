import * as z from "zod";

/**
 * Which tool wants to run and what it is to do, in the agent's own words: rules are written in them. Agents agree on
 * neither, so each says it in its own place:
 *
 *     Claude    name: "Bash"            rawInput.command, .file_path
 *     Codex     name: "exec_command"    rawInput.command; of edits only the paths
 *     OpenCode  –                       rawInput.command, .filepath
 *     Gemini    inside the call's id    the paths; of commands only the title
 *     Copilot   –                       rawInput.command, .fileName
 */
export const askedTool = (
  request: unknown,
): { tool_name: string | null; detail: string | null } => {
  const asked = Request.safeParse(request).data?.toolCall;
  if (asked === undefined) return { tool_name: null, detail: null };
  return { tool_name: nameOf(asked), detail: detailOf(asked) };
};

const text = z.string().min(1).optional().catch(undefined);

/** Lenient, field by field: what one agent spells otherwise hides nothing of the rest. */
const Asked = z.object({
  toolCallId: text,
  title: text,
  kind: text,
  name: text,
  _meta: z
    .object({
      claudeCode: z.object({ toolName: text }).optional().catch(undefined),
    })
    .nullish()
    .catch(null),
  rawInput: z
    .object({
      command: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .catch(undefined),
      cmd: text,
      file_path: text,
      filePath: text,
      filepath: text,
      fileName: text,
      notebook_path: text,
      path: text,
      url: text,
      query: text,
      pattern: text,
    })
    .nullish()
    .catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
});
type Asked = z.infer<typeof Asked>;

const Request = z.object({ toolCall: Asked });

const nameOf = ({ name, _meta, toolCallId }: Asked): string | null =>
  cut(name ?? _meta?.claudeCode?.toolName ?? nameInId(toolCallId), NAME);

/** Gemini: `write_file__write_file_1794721269228_0`. */
const nameInId = (id = ""): string | null =>
  id.length > 2 * NAME
    ? null
    : (/^([a-z]\w*?)__\1_\d+_\d+$/i.exec(id)?.[1] ?? null);

const detailOf = ({ rawInput, locations, title, kind }: Asked) => {
  const input = rawInput ?? {};
  const command = input.command ?? input.cmd;
  return cut(
    (Array.isArray(command) ? command.join(" ") : command) ??
      input.file_path ??
      input.filePath ??
      input.filepath ??
      input.fileName ??
      input.notebook_path ??
      input.path ??
      input.url ??
      input.query ??
      input.pattern ??
      locations?.[0]?.path ??
      (kind === "execute" ? (title ?? null) : null),
    DETAIL,
  );
};

const NAME = 200;
/** A rule sees no further, and neither does the journal. */
const DETAIL = 8000;

const cut = (words: string | null, max: number): string | null =>
  words === null || words.length <= max ? words : `${words.slice(0, max - 1)}…`;
