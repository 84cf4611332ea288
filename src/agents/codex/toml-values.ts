/**
 * The plain values of a TOML document: strings and booleans, by the key with its table (`sandbox.network`). A value of
 * any other kind is null. It is read line by line, and not checked: who wrote it will be told by its own program.
 */
export const tomlValues = (text: string): Map<string, string | null> => {
  const values = new Map<string, string | null>();
  let table = "";
  /** What ends the text of several lines that we are in. */
  let end: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (end !== null) {
      if (line.includes(end)) end = null;
      continue;
    }
    const [, header] = /^\s*\[([^[\]]+)\]/.exec(line) ?? [];
    // Of tables in a list there are many: none of them is the one to be asked for.
    if (header !== undefined || /^\s*\[\[/.test(line)) {
      table = `${nameOf(header ?? "[]")}.`;
      continue;
    }
    const [, key, rest = ""] = /^\s*([\w."'-]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    end = openedBy(rest);
    values.set(table + nameOf(key), end === null ? valueOf(rest) : null);
  }
  return values;
};

const nameOf = (key: string): string => key.replaceAll(/["'\s]/g, "");

const openedBy = (rest: string): string | null => {
  const [mark] = /^("""|''')/.exec(rest) ?? [];
  return mark === undefined || rest.includes(mark, mark.length) ? null : mark;
};

const valueOf = (rest: string): string | null => {
  const [, value, literal, word] =
    /^(?:"([^"\\]*)"|'([^']*)'|(true|false))\s*(?:#|$)/.exec(rest) ?? [];
  return value ?? literal ?? word ?? null;
};
