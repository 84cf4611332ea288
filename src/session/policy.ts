/** What is answered to a permission request without asking anybody. */
import type { AgentDefinition } from "../contract/agent.ts";
import type {
  PermissionOption,
  PermissionPolicy,
} from "../contract/permission.ts";
import { partsOfPattern, restrictedBy } from "../contract/tool-pattern.ts";

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

type Verdict = "allow" | "deny" | "ask";

const verdictOf = (definition: AgentDefinition, asking: Asking): Verdict => {
  const { disallowed_tools, permissions } = definition;
  if (disallowed_tools?.some((tool) => concerns(tool, asking))) return "deny";
  let mustAsk = false;
  for (const { tool, answer } of permissions?.rules ?? []) {
    if (!(answer === "allow" ? covers : concerns)(tool, asking)) continue;
    // A malformed pattern is about more than was meant: it must not come before a later rule that denies.
    if (answer === "ask" && partsOfPattern(tool) === null) mustAsk = true;
    else return mustAsk ? noMoreThanAsk(answer) : answer;
  }
  const verdict = withoutRule(definition, asking);
  return mustAsk ? noMoreThanAsk(verdict) : verdict;
};

const noMoreThanAsk = (verdict: Verdict): Verdict =>
  verdict === "allow" ? "ask" : verdict;

const withoutRule = (
  { allowed_tools, permissions }: AgentDefinition,
  asking: Asking,
): Verdict => {
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

/** Whether any of what it wants to do is meant, by whatever it calls itself. What is meant to be denied is better denied too often. */
const concerns = (pattern: string, asking: Asking): boolean => {
  const { name, what } = restrictedBy(pattern);
  const { first, rest } = titleOf(asking);
  const isNamed =
    namesOf(asking).some((each) => isLike(name, each)) ||
    isShell(name, asking) ||
    (asking.tool_name == null && isLike(name, first));
  return (
    isNamed &&
    (what === undefined ||
      [...commandsIn(wordsOf(asking)), rest].some((each) => isLike(what, each)))
  );
};

/** Each agent has its own name for what runs commands. `Bash` is what people call it, whatever the agent does. */
const isShell = (name: string, { tool_kind }: Asking): boolean =>
  tool_kind === "execute" && ["bash", "shell"].includes(name.toLowerCase());

/** `Write a.txt`: many agents have no name for a tool and say it first in the title. */
const titleOf = ({ title }: Asking): { first: string; rest: string } => {
  const [first = ""] = /[\p{L}\p{N}_.-]+/u.exec(title) ?? [];
  const rest = title.slice(title.indexOf(first) + first.length);
  return { first, rest: rest.trim() };
};

/** Whether all of it is meant: what a star stands for must not bring another command along, nor lead elsewhere. */
const covers = (pattern: string, asking: Asking): boolean => {
  const parts = partsOfPattern(pattern);
  if (parts === null) return false;
  const { name, what } = parts;
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
