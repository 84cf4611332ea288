import type {
  IBuffer,
  IBufferCellPosition,
  ILink,
  ILinkHandler,
  ILinkProvider,
  Terminal,
} from "@xterm/xterm";
import { webAddress } from "../markdown/link.ts";
import { findLinks } from "./find-links.ts";

/** Lines that a long address may be wrapped over. */
const MAX_ROWS = 20;

/** Links that programs made on purpose (OSC 8). Where one leads is told before it is followed: its text may say anything. */
export const programLinks = (tell: (href: string) => void): ILinkHandler => ({
  activate: (_, href) => follow(href),
  hover: (_, href) => tell(webAddress(href) ?? ""),
  leave: () => tell(""),
});

/** Addresses in what is shown. */
export const shownLinks = (
  terminal: Terminal,
  tell: (href: string) => void,
): ILinkProvider => ({
  provideLinks: (row, callback) => {
    const { text, places } = lineAt(terminal.buffer.active, row - 1);
    const links = findLinks(text).flatMap(({ from, to, href }): ILink[] => {
      const start = places[from];
      const end = places[to - 1];
      if (start === undefined || end === undefined) return [];
      return [
        {
          range: { start, end },
          text: href,
          activate: () => follow(href),
          hover: () => tell(href),
          leave: () => tell(""),
        },
      ];
    });
    callback(links);
  },
});

const follow = (href: string): void => {
  const address = webAddress(href);
  if (address !== null) window.open(address, "_blank", "noopener,noreferrer");
};

/** The line that a row belongs to, however many rows it takes, and where each of its characters is. */
const lineAt = (
  buffer: IBuffer,
  row: number,
): { text: string; places: IBufferCellPosition[] } => {
  let first = row;
  while (row - first < MAX_ROWS && buffer.getLine(first)?.isWrapped === true)
    first -= 1;
  let text = "";
  const places: IBufferCellPosition[] = [];
  for (let y = first; y < first + 2 * MAX_ROWS; y++) {
    const line = buffer.getLine(y);
    if (line === undefined || (y > first && !line.isWrapped)) break;
    for (let x = 0; x < line.length; x++) {
      const cell = line.getCell(x);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const characters = cell.getChars() || " ";
      text += characters;
      for (let at = 0; at < characters.length; at++)
        places.push({ x: x + 1, y: y + 1 });
    }
  }
  return { text, places };
};
