/** Answers to a permission request in words that mean the same whatever the agent calls its options. */
import type { PermissionOption } from "../../contract/agent/permission.ts";

const kinds: Readonly<Record<string, string>> = {
  yes: "allow_once",
  always: "allow_always",
  no: "reject_once",
  never: "reject_always",
};

export const permitWords: readonly string[] = Object.keys(kinds);

export const isPermitWord = (answer: string): boolean =>
  Object.hasOwn(kinds, answer);

/** A word stands for the first option of its kind and for nothing else; anything else is an option's id. */
export const optionFor = (
  options: readonly PermissionOption[],
  answer: string,
): PermissionOption | undefined =>
  isPermitWord(answer)
    ? options.find(({ kind }) => kind === kinds[answer])
    : options.find(({ id }) => id === answer);

/** What to type to choose an option: a word where one stands for it. */
export const answerFor = (
  options: readonly PermissionOption[],
  option: PermissionOption,
): string =>
  permitWords.find((word) => optionFor(options, word) === option) ?? option.id;
