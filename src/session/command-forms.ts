/**
 * The commands in a command line, each in the forms that a rule which denies may name it by. This is no shell: it splits
 * at operators wherever they stand, so it finds too many commands rather than too few. What it does not see is in
 * docs/security.md.
 */

/** A line as rules that deny compare it: one space between words. */
export const oneSpaced = (text: string): string =>
  text.trim().replaceAll(/\s+/g, " ");

/** The line itself, and each command in it. */
export const commandsIn = (line: string): Set<string> =>
  new Set([line, ...line.split(BETWEEN)]);

/** A command without what stands before it, with the base name of its program, and the script that it gives to a shell. */
export const formsOf = (command: string): string[] => {
  const bare = command.replace(BEFORE, "");
  const named = bare.replace(DIRECTORY, "");
  const script = SCRIPT.exec(named)?.[1];
  return [bare, named, ...(script === undefined ? [] : [unquoted(script)])];
};

/** What a shell ends a command with, sends its output away with, runs another in the middle of one by, or groups them with. */
const BETWEEN = /[;&|<>`\n\r(){}]/;
/** Assignments and words of the shell: `FOO=1 rm x`, `then rm x`. */
const BEFORE =
  /^(?:(?:\w+\+?=(?:"[^"]*"|'[^']*'|[^\s"'])*|if|then|elif|else|while|until|do|!|time) )+/i;
const DIRECTORY = /^[^ ]*\//;
/** `bash -lc "rm x"`. An agent may tell the words of a command without quotes. */
const SCRIPT =
  /^(?:a|ba|da|fi|k|z)?sh (?:[^ ]+ )*?-[a-z]*c(?: |(?=["']))(?:-- )?(.+)$/i;

const unquoted = (script: string): string => {
  const quote = /^["']/.exec(script)?.[0];
  if (quote === undefined) return script;
  const end = script.lastIndexOf(quote);
  return script.slice(1, end === 0 ? undefined : end);
};
