/** What is asked for when a session is started, and the request that it becomes. */
import * as z from "zod";
import type { CreateSessionInput } from "../../../src/contract/api/request.ts";
import { permissionDefaults } from "../../../src/contract/agent/permission.ts";
import { type Attachment, contentOf } from "../dock/attachments.ts";

export const Form = z.object({
  prompt: z.string().default(""),
  /** Null until one is chosen. */
  agent: z.string().nullable().default(null),
  /** Empty: the session gets an empty directory. */
  directory: z.string().default(""),
  workIn: z.enum(["directory", "worktree"]).default("directory"),
  name: z.string().default(""),
  model: z.string().default(""),
  mode: z.string().default(""),
  /** Null: no policy; what the agent asks is asked. */
  permissions: z.enum(permissionDefaults).nullable().default(null),
  onInterrupt: z.enum(["wait", "continue"]).default("wait"),
  /** Null: as the server is configured. */
  onQuota: z.enum(["wait", "continue"]).nullable().default(null),
  checkpoints: z.boolean().nullable().default(null),
});
export type Form = z.infer<typeof Form>;

interface Asked {
  attachments?: readonly Attachment[];
  /** Without the prompt. */
  isEmpty?: boolean;
  userHome?: string | null;
}

export const EMPTY_FORM: Form = Form.parse({});

/** Null while no agent is chosen. What is not chosen is left to the server. */
export const requestOf = (
  form: Form,
  { isEmpty = false, userHome = null, attachments = [] }: Asked = {},
): CreateSessionInput | null => {
  if (form.agent === null) return null;
  // Offered paths end with a slash.
  const directory = wholePath(form.directory, userHome).replace(
    /(?<=[^/])\/+$/,
    "",
  );
  const prompt = isEmpty ? "" : form.prompt.trim();
  return {
    agent: form.agent,
    ...(directory !== "" &&
      (form.workIn === "worktree"
        ? { worktree: directory }
        : { cwd: directory })),
    ...(isEmpty || attachments.length === 0
      ? prompt !== "" && { prompt }
      : { content: contentOf(prompt, attachments) }),
    ...textOf("name", form.name),
    ...textOf("model", form.model),
    ...textOf("mode", form.mode),
    ...(form.permissions !== null && { permissions: form.permissions }),
    ...(form.onInterrupt === "continue" && { on_interrupt: "continue" }),
    ...(form.onQuota !== null && { on_quota: form.onQuota }),
    ...(form.checkpoints !== null && { checkpoints: form.checkpoints }),
  };
};

/** `~` is the home directory of whoever runs the server. */
export const wholePath = (typed: string, userHome: string | null): string => {
  const path = typed.trim();
  if (userHome === null || !/^~(\/|$)/.test(path)) return path;
  return `${userHome}${path.slice(1)}`;
};

/** Why a directory cannot be asked for; null where the server may look. */
export const directoryFault = (path: string): string | null =>
  path === "" || /^(\/|[A-Za-z]:[\\/])/.test(path)
    ? null
    : "Give the whole path, as in /home/me/project.";

const textOf = <K extends "name" | "model" | "mode">(
  field: K,
  text: string,
): Partial<Record<K, string>> => {
  const said: Partial<Record<K, string>> = {};
  if (text.trim() !== "") said[field] = text.trim();
  return said;
};

/** What stays for the next session. */
export const choicesKept = (form: Form): Form => ({
  ...form,
  prompt: "",
  name: "",
});
