import * as z from "zod";

/** Which tools a rule is about: `name`, or `name(what)`, which also looks at what the tool is to do. `*` stands for anything. */
export interface PatternParts {
  name: string;
  what?: string;
}

/** What is wrong with a pattern, as the end of a sentence; null when nothing is. */
export const patternFault = (pattern: string): string | null => {
  const text = pattern.trim();
  const opens = text.indexOf("(");
  const closes = closingOf(text);
  if (CONTROL.test(text)) return "it holds a control character";
  if (closes === "unopened") return "a parenthesis is closed but never opened";
  if (closes === "unclosed") return "a parenthesis is opened but never closed";
  if (!VISIBLE.test(opens === -1 ? text : text.slice(0, opens)))
    return "it names no tool";
  if (opens === -1) return null;
  if (closes !== text.length - 1)
    return "nothing may follow the closing parenthesis";
  return VISIBLE.test(text.slice(opens + 1, -1))
    ? null
    : "there is nothing between its parentheses";
};

const CONTROL = /\p{Cc}/u;
/** A zero-width space, say, names nothing. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** Where the first parenthesis is closed; -1 without any. */
const closingOf = (text: string): number | "unopened" | "unclosed" => {
  let depth = 0;
  let closes = -1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] !== ")") continue;
    if (depth === 0) return "unopened";
    depth--;
    if (depth === 0 && closes === -1) closes = at;
  }
  return depth === 0 ? closes : "unclosed";
};

/** Null for a pattern that is malformed. */
export const partsOfPattern = (pattern: string): PatternParts | null => {
  if (patternFault(pattern) !== null) return null;
  const text = pattern.trim();
  const opens = text.indexOf("(");
  return opens === -1
    ? { name: text }
    : { name: text.slice(0, opens).trim(), what: text.slice(opens + 1, -1) };
};

/**
 * What a rule that denies or asks is about. Older journals hold malformed patterns: those are about every use of the tool
 * that they name, or about all tools.
 */
export const restrictedBy = (pattern: string): PatternParts =>
  partsOfPattern(pattern) ?? { name: nameBefore(pattern) || "*" };

const nameBefore = (pattern: string): string =>
  (pattern.split(/[()]/, 1)[0] ?? "")
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim();

/** As a caller may write it. What is stored already is read as it is. */
export const ToolPattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !text.includes("\0"), "must not hold a NUL character")
  .superRefine((text, context) => {
    const fault = patternFault(text);
    if (text !== "" && fault !== null)
      context.addIssue({
        code: "custom",
        message: `${JSON.stringify(text)} is not a pattern: ${fault}`,
      });
  });
