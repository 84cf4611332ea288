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
  if (disallowed_tools?.some((tool) => concerns(tool, asking))) return "deny";
  const rule = permissions?.rules.find(({ tool, answer }) =>
    answer === "allow" ? covers(tool, asking) : concerns(tool, asking),
  );
  if (rule !== undefined) return rule.answer;
  if (allowed_tools !== undefined)
    return allowed_tools.some((tool) => covers(tool, asking))
      ? "allow"
      : "deny";
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

/** Whether any of what it wants to do is meant, by whatever it calls itself. */
const concerns = (pattern: string, asking: Asking): boolean => {
  const { name, what } = partsOf(pattern);
  return (
    namesOf(asking).some((each) => isLike(name, each)) &&
    (what === undefined ||
      commandsIn(wordsOf(asking)).some((each) => isLike(what, each)))
  );
};

/** Whether all of it is meant: what a star stands for must not bring another command along, nor lead elsewhere. */
const covers = (pattern: string, asking: Asking): boolean => {
  const { name, what } = partsOf(pattern);
  const isMeant = (part: string, text: string): boolean =>
    isLike(part, text) && (!part.includes("*") || isOneThing(asking, text));
  // A title can be anybody's words: it is believed where an agent has no name for the tool.
  const isNamed =
    asking.tool_name == null
      ? namesOf(asking).some((each) => isMeant(name, each))
      : [asking.tool_name, asking.tool_kind].some(
          (each) => each != null && isLike(name, each),
        );
  return isNamed && (what === undefined || isMeant(what, wordsOf(asking)));
};

const partsOf = (pattern: string): { name: string; what?: string } => {
  const [, name = pattern, what] = PATTERN.exec(pattern) ?? [];
  return { name: name.trim(), ...(what !== undefined && { what }) };
};

const namesOf = ({ tool_name, tool_kind, title }: Asking): string[] =>
  [tool_name, tool_kind, title].filter((each) => each != null);

const wordsOf = ({ detail, title }: Asking): string => detail ?? title;

/** The line itself, and each command in it, with one space between words. */
const commandsIn = (text: string): string[] =>
  [text, ...text.split(BETWEEN)].map((each) =>
    each.trim().replaceAll(/\s+/g, " "),
  );

const isOneThing = ({ tool_kind }: Asking, text: string): boolean =>
  tool_kind === "execute" || tool_kind === null
    ? text.length <= LONGEST && !OPERATORS.test(text)
    : !WAY_UP.test(text);

/** What a shell ends a command with, sends its output away with, or runs another in the middle of one by. */
const OPERATORS = /[;&|<>`\n\r]|\$\(/;
/** And what it groups them with. */
const BETWEEN = /[;&|<>`\n\r(){}]/;
/** A path that goes back out of the directory it begins with. */
const WAY_UP = /(^|\/)\.\.(\/|$)/;
/** Longer ones are cut before they come here: nobody knows what follows. */
const LONGEST = 4000;

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
