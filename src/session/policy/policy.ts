/** What is answered to a permission request without asking anybody. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import type { PermissionPolicy } from "../../contract/agent/permission.ts";
import type { PromptLimits } from "../../contract/agent/prompt-limits.ts";
import {
  partsOfPattern,
  restrictedBy,
} from "../../contract/agent/tool-pattern.ts";
import { oneSpaced } from "./command-forms.ts";
import { type Asking, type Said, saidOf } from "./said-of-call.ts";
import { isLike, type Wildcard, wildcardOf } from "./wildcard.ts";

/**
 * The option to choose, or null when a person has to be asked. `before` is what the agent said of the call until then,
 * `limits` those of the prompt at work.
 */
export const answerByPolicy = (
  definition: AgentDefinition,
  asking: Asking,
  before: AskedTool | null = null,
  limits: PromptLimits = {},
): string | null => {
  switch (verdictWithin(definition, limits, saidOf(asking, before))) {
    case "allow":
      return optionOf(asking, "allow_once", "allow_always");
    case "deny":
      return optionOf(asking, "reject_once", "reject_always");
    case "ask":
      return null;
  }
};

type Verdict = "allow" | "deny" | "ask";

/**
 * What the session denies stays denied, and what it may deny is a person's to answer. Within that, the prompt's limits of
 * tools deny more, and its permissions stand for the session's.
 */
const verdictWithin = (
  definition: AgentDefinition,
  limits: PromptLimits,
  said: Said,
): Verdict => {
  const own = opinionOf(definition, said);
  if (own.verdict === "deny") return "deny";
  const { allowed_tools, disallowed_tools, permissions } = limits;
  const tools = opinionOf(
    { disallowed_tools, permissions: { default: "allow-all", rules: [] } },
    said,
  );
  const isLeftOut =
    allowed_tools !== undefined &&
    !allowed_tools.some((tool) => covers(tool, said));
  if (tools.verdict === "deny" || isLeftOut) return "deny";
  const asked =
    permissions === undefined ? own : opinionOf({ permissions }, said);
  if (asked.verdict !== "allow") return asked.verdict;
  return own.mayDeny || tools.mayDeny ? "ask" : "allow";
};

interface Opinion {
  verdict: Verdict;
  /** Nobody knows whether a rule that denies or asks is about it. */
  mayDeny: boolean;
}

type Rules = {
  [
    F in "allowed_tools" | "disallowed_tools" | "permissions"
  ]?: AgentDefinition[F];
};

const opinionOf = (rules: Rules, said: Said): Opinion => {
  const { disallowed_tools = [], permissions } = rules;
  let mustAsk = false;
  const opinion = (verdict: Verdict): Opinion => ({
    verdict: mustAsk && verdict === "allow" ? "ask" : verdict,
    mayDeny: mustAsk,
  });
  for (const tool of disallowed_tools) {
    const found = concerns(tool, said);
    if (found === "yes") return opinion("deny");
    if (found === "unknown") mustAsk = true;
  }
  for (const { tool, answer } of permissions?.rules ?? []) {
    if (answer === "allow") {
      if (covers(tool, said)) return opinion("allow");
      continue;
    }
    const found = concerns(tool, said);
    // A malformed pattern is about more than was meant: it must not come before a later rule that denies.
    if (
      found === "unknown" ||
      (found === "yes" && answer === "ask" && partsOfPattern(tool) === null)
    )
      mustAsk = true;
    else if (found === "yes") return opinion(answer);
  }
  return opinion(withoutRule(rules, said));
};

const withoutRule = (
  { allowed_tools, permissions }: Rules,
  said: Said,
): Verdict => {
  if (allowed_tools !== undefined)
    return allowed_tools.some((tool) => covers(tool, said)) ? "allow" : "deny";
  return byDefault(permissions?.default ?? "ask", said);
};

const READING = new Set(["read", "search", "think"]);

const byDefault = (
  word: PermissionPolicy["default"],
  { kinds }: Said,
): "allow" | "ask" => {
  if (word === "allow-all") return "allow";
  const isReading =
    kinds.length > 0 && kinds.every((kind) => READING.has(kind));
  return word === "allow-read" && isReading ? "allow" : "ask";
};

/** Match on the kind of an option, never on its id. Once is enough: the next request is answered by the same policy. */
const optionOf = (
  { options }: Asking,
  ...kinds: readonly string[]
): string | null =>
  kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)?.id ?? null;

/**
 * Whether any of what it wants to do is meant, by whatever it calls itself. What is meant to be denied is better denied
 * too often. Unknown: the tool is meant, or nothing is said of it, and not all that it is to do is known.
 */
const concerns = (pattern: string, said: Said): "yes" | "no" | "unknown" => {
  const { name, what } = restrictedBy(pattern);
  if (!isNamed(wildcardOf(oneSpaced(name)), said))
    return isNothingSaid(said) ? "unknown" : "no";
  if (what === undefined) return "yes";
  const meant = wildcardsOf(oneSpaced(what));
  if (said.parts.some((part) => meant.some((each) => isLike(each, part))))
    return "yes";
  return said.isPartial ? "unknown" : "no";
};

const isNothingSaid = ({ name, kinds, titles, parts }: Said): boolean =>
  name === null && kinds.length + titles.length + parts.length === 0;

const isNamed = (tool: Wildcard, { names, kinds }: Said): boolean =>
  names.some((name) => isLike(tool, name)) ||
  (tool.isExact && SHELLS.has(tool.first) && kinds.includes("execute"));

/** Each agent has its own name for what runs commands. `Bash` is what people call it, whatever the agent does. */
const SHELLS = new Set(["bash", "shell"]);

/** `rm:*` is how Claude Code spells `rm` with or without anything behind it. */
const wildcardsOf = (what: string): Wildcard[] => {
  const start = what.endsWith(":*") ? what.slice(0, -2) : "";
  return (start === "" ? [what] : [what, start, `${start} *`]).map(wildcardOf);
};

/** Whether all of it is meant: what a star stands for must not bring another command along, nor lead elsewhere. */
const covers = (pattern: string, said: Said): boolean => {
  const parts = partsOfPattern(pattern);
  if (parts === null || isContradictory(said)) return false;
  const { name, kinds, titles, whole, single } = said;
  const isAllLike = (
    texts: readonly string[],
    patterns: readonly Wildcard[],
  ): boolean =>
    texts.length > 0 &&
    texts.every((text) =>
      patterns.some(
        (each) => (each.isExact || single.has(text)) && isLike(each, text),
      ),
    );
  const tool = wildcardOf(parts.name);
  // A title can be anybody's words: it is believed where an agent has no name for the tool.
  const isMeant =
    (name !== null && isLike(tool, name)) ||
    isAllLike(kinds, [tool]) ||
    (name === null && isAllLike(titles, [tool]));
  return (
    isMeant &&
    (parts.what === undefined ||
      isAllLike(whole, wildcardsOf(parts.what.trim())))
  );
};

/** The request says that it reads, say, and the call said before that it runs a command. */
const isContradictory = ({ kinds }: Said): boolean =>
  kinds.filter((kind) => kind !== "other").length > 1;
