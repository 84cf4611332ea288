/** marked leaves `&lt;` to the browser's HTML parser, which this page does not use. */
const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  times: "×",
  middot: "·",
  bull: "•",
};

export const withoutEntities = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(
        /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
        (whole: string, decimal?: string, hex?: string, name?: string) =>
          name === undefined
            ? (character(
                decimal === undefined
                  ? Number.parseInt(hex ?? "", 16)
                  : Number(decimal),
              ) ?? whole)
            : (named[name] ?? whole),
      )
    : text;

const character = (code: number): string | null =>
  code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
    ? String.fromCodePoint(code)
    : null;
