import { webAddress } from "../markdown/link.ts";

export interface FoundLink {
  /** Of its first character, and behind its last one. */
  from: number;
  to: number;
  href: string;
}

/** More of a line is not looked through. */
const MAX_LINE = 4096;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`{}|\\^\p{Cc}\p{Cf}]+/giu;

/** The addresses of the web in a line of a terminal (PAG-73 says which lead anywhere). */
export const findLinks = (line: string): FoundLink[] =>
  [...line.slice(0, MAX_LINE).matchAll(ADDRESS)].flatMap((match) => {
    const text = withoutTail(match[0]);
    const href = webAddress(text);
    return href === null
      ? []
      : [{ from: match.index, to: match.index + text.length, href }];
  });

/** What ends the sentence around an address is not part of it, nor a bracket that was opened before it. */
const withoutTail = (text: string): string => {
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1] ?? "";
    if (".,;:!?*_~".includes(last)) continue;
    const opening = { ")": "(", "]": "[" }[last];
    if (opening === undefined) break;
    const shown = text.slice(0, end);
    if (count(shown, opening) >= count(shown, last)) break;
  }
  return text.slice(0, end);
};

const count = (text: string, character: string): number =>
  text.split(character).length - 1;
