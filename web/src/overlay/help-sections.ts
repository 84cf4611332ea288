/** The rows of the help, from the table of commands. */
import { commandIds } from "./command-table.ts";
import { type CommandSection, elementKeys, entryOf } from "./command-words.ts";

const sections: readonly [CommandSection, string][] = [
  ["page", "Everywhere"],
  ["list", "In lists"],
  ["session", "In a session"],
];

export interface HelpSection {
  name: string;
  rows: { label: string; keys: string }[];
}

export const helpSections = (): HelpSection[] =>
  sections.map(([section, name]) => ({
    name,
    rows: [
      ...commandIds
        .map(entryOf)
        .flatMap(({ section, label, keys }) =>
          keys === undefined ? [] : [{ section, label, keys }],
        ),
      ...elementKeys,
    ]
      .filter((row) => row.section === section)
      .map(({ label, keys }) => ({ label, keys })),
  }));
