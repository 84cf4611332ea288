/** A question of an agent: what it asks for, and the answers that it takes. */
import type {
  Permission,
  PermissionOption,
} from "../../../src/contract/agent/permission.ts";
import { legibleName } from "../words/legible.ts";

/** `Claude Code asks to run a command` */
export const askWords = (permission: Permission, agentName: string): string => {
  const { tool, tool_kind, title } = permission;
  const asks = verbs[tool?.kind ?? tool_kind ?? ""];
  if (asks === undefined)
    return askedText(permission) === title
      ? `${agentName} asks for your permission`
      : `${agentName} asks: ${legibleName(title)}`;
  const many = (tool?.paths.length ?? 0) > 1;
  return `${agentName} asks to ${many ? asks.many : asks.one}`;
};

const verbs: Readonly<Record<string, { one: string; many: string }>> = {
  execute: { one: "run a command", many: "run a command" },
  edit: { one: "change a file", many: "change files" },
  delete: { one: "delete a file", many: "delete files" },
  move: { one: "move a file", many: "move files" },
  read: { one: "read a file", many: "read files" },
  search: { one: "search", many: "search" },
  fetch: { one: "fetch a page", many: "fetch pages" },
  switch_mode: { one: "go on in another mode", many: "go on in another mode" },
};

export interface Answer {
  optionId: string;
  label: string;
  isPrimary: boolean;
  /** `1` to `4`; null for further ones, which have no key. */
  key: string | null;
}

/** Allow before reject, once before always. What the page has no word for is called as the agent calls it. */
export const answersOf = (options: readonly PermissionOption[]): Answer[] => {
  const isOnly = (kind: string): boolean =>
    options.filter((option) => option.kind === kind).length === 1;
  return options
    .toSorted((a, b) => rank(a.kind) - rank(b.kind))
    .map(({ id, name, kind }, at) => ({
      optionId: id,
      label:
        (isOnly(kind) ? labels[kind] : undefined) ??
        legibleName(name, MAX_LABEL),
      isPrimary: at === 0 && kind === "allow_once",
      key: at < 4 ? String(at + 1) : null,
    }));
};

/** Buttons are no longer than this. */
const MAX_LABEL = 60;

const labels: Readonly<Record<string, string>> = {
  allow_once: "Allow",
  allow_always: "Always allow",
  reject_once: "Reject",
  reject_always: "Always reject",
};

const rank = (kind: string): number => {
  const at = Object.keys(labels).indexOf(kind);
  return at === -1 ? 9 : at;
};

/** The command, the input or the title: what is to be allowed, whole. Null where a diff or paths say it. */
export const askedText = ({ tool, title }: Permission): string | null => {
  if (tool === undefined) return title;
  if (tool.command !== null) return tool.command;
  if (tool.diff !== null) return null;
  if (tool.paths.length > 0) return tool.paths.join("\n");
  return tool.input ?? tool.title ?? title;
};

/** What of it is not shown, because the agent told more than fits: it is never allowed unseen in silence. */
export const shortenedWords = ({ tool }: Permission): string | null => {
  const [field] = tool?.shortened ?? [];
  return field === undefined
    ? null
    : `Only the beginning of the ${field} is shown: it is very long.`;
};
