/** Words for a shell on a host. Which one that is depends on the user there, so only what all of them read alike is used. */

/** Control characters end a word, `\` is read by fish and `!` by csh, also between single quotes. */
const READ_DIFFERENTLY = /[\p{Cc}\\!]/u;

/** One word, whatever is in it. */
export const quoted = (word: string): string => {
  if (READ_DIFFERENTLY.test(word))
    throw new TypeError(`not every shell takes this word: ${word}`);
  return `'${word.replaceAll("'", `'"'"'`)}'`;
};

/** Runs a script of ours with `sh`; arguments are `$1` and so on in it. */
export const shellCommand = (
  script: string,
  args: readonly string[],
): string => {
  const line = script.trim().replaceAll(/\n\s*/g, " ");
  return ["exec /bin/sh -c", ...[line, "reprise", ...args].map(quoted)].join(
    " ",
  );
};
