/** What is answered to a permission request without asking anybody. */
import type { AgentDefinition } from "../contract/agent.ts";
import type {
  PermissionOption,
  PermissionPolicy,
} from "../contract/permission.ts";

/** What is known of the tool that wants to run. */
export interface Asking {
  title: string;
  tool_kind: string | null;
  tool_name?: string | null | undefined;
  detail?: string | null | undefined;
  options: readonly PermissionOption[];
}

/** The option to choose, or null when a person has to be asked. */
export const answerByPolicy = (
  definition: AgentDefinition,
  asking: Asking,
): string | null => {
  switch (verdictOf(definition, asking)) {
    case "allow":
      return optionOf(asking, "allow_once", "allow_always");
    case "deny":
      return optionOf(asking, "reject_once", "reject_always");
    case "ask":
      return null;
  }
};

const verdictOf = (
  { disallowed_tools, allowed_tools, permissions }: AgentDefinition,
  asking: Asking,
): "allow" | "deny" | "ask" => {
  const isOneOf = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => fits(pattern, asking));
  if (isOneOf(disallowed_tools ?? [])) return "deny";
  const rule = permissions?.rules.find(({ tool }) => fits(tool, asking));
  if (rule !== undefined) return rule.answer;
  if (allowed_tools !== undefined)
    return isOneOf(allowed_tools) ? "allow" : "deny";
  return byDefault(permissions?.default ?? "ask", asking);
};

const READING = new Set(["read", "search", "think"]);

const byDefault = (
  word: PermissionPolicy["default"],
  { tool_kind }: Asking,
): "allow" | "ask" => {
  if (word === "allow-all") return "allow";
  return word === "allow-read" && READING.has(tool_kind ?? "")
    ? "allow"
    : "ask";
};

/** Match on the kind of an option, never on its id. Once is enough: the next request is answered by the same policy. */
const optionOf = (
  { options }: Asking,
  ...kinds: readonly string[]
): string | null =>
  kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)?.id ?? null;

const PATTERN = /^([^()]+?)(?:\((.*)\))?$/s;

const fits = (pattern: string, asking: Asking): boolean => {
  const [, name = pattern, what] = PATTERN.exec(pattern) ?? [];
  const { title, tool_kind, tool_name, detail } = asking;
  const isNamed = [tool_name, tool_kind, title].some(
    (each) => each != null && isLike(name.trim(), each),
  );
  return isNamed && (what === undefined || isLike(what, detail ?? title));
};

/** `*` stands for anything. Compared piece by piece, so that no pattern can take long. */
const isLike = (pattern: string, text: string): boolean => {
  const pieces = pattern.toLowerCase().split("*");
  const words = text.toLowerCase();
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (pieces.length === 1) return words === first;
  if (!words.startsWith(first)) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = words.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return words.length >= from + last.length && words.endsWith(last);
};
