import type { FileEntry } from "../../../contract/session/workspace-file.ts";
import { command } from "../../parsing/command.ts";
import { age } from "../../terminal/age.ts";
import { answer } from "../../terminal/print.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { size } from "../../terminal/size.ts";
import { type Cell, table } from "../../terminal/table.ts";
import type { World } from "../../terminal/world.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const files = command({
  name: "session files",
  summary: "List a directory of a session's workspace",
  about: "It works whether the agent runs or not.",
  args: [
    sessionArgument,
    {
      name: "PATH",
      optional: true,
      help: "a directory in the workspace; the workspace itself unless it is said",
    },
  ],
  options: {},
  examples: [
    "reprise session files ses_01jm",
    "reprise session files ses_01jm src --json | jq -r '.entries[].name'",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const { path, ...page } = await client.listFiles(id, args.PATH ?? "");
    const entries = [...page.entries];
    for (let { next } = page; next !== null;) {
      const more = await client.listFiles(id, args.PATH ?? "", { after: next });
      entries.push(...more.entries);
      next = more.next;
    }
    answer(world, { path, entries, next: null }, () =>
      entries.length === 0
        ? "The directory is empty."
        : listing(entries, world),
    );
    return 0;
  },
});

const listing = (entries: readonly FileEntry[], world: World): string => {
  const { palette, columns } = world.out;
  const at = world.now();
  const rows = entries.map((entry): Cell[] => [
    { text: letterOf(entry) },
    { text: entry.kind === "file" ? size(entry.size) : "" },
    { text: age(entry.modified_at, at) },
    {
      text: nameOf(entry),
      ...(entry.kind === "directory" && { paint: palette.bold }),
    },
  ]);
  return table(rows, columns);
};

const letterOf = ({ kind, executable }: FileEntry): string => {
  if (kind === "directory") return "d";
  if (kind === "link") return "l";
  return kind === "other" ? "?" : executable ? "x" : "-";
};

const nameOf = ({ name, kind, target }: FileEntry): string => {
  const shown = oneLine(name);
  if (kind === "directory") return `${shown}/`;
  return target === undefined ? shown : `${shown} -> ${oneLine(target)}`;
};
