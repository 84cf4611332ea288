import { command } from "../parsing/command.ts";
import { indented } from "../terminal/indented.ts";
import { answer } from "../terminal/print.ts";
import { sanitize } from "../terminal/sanitize.ts";
import {
  editClientFile,
  entryIn,
  readClientFile,
  withoutEntry,
} from "./client-file.ts";
import { CLIENTS, clients } from "./clients.ts";

export const uninstall = command({
  name: "mcp uninstall",
  summary: "Remove Reprise from the MCP servers of a program",
  about:
    "It takes out the entry that `reprise mcp install` wrote. Everything else in the file stays as it is. A file that holds nothing else is removed.",
  args: [
    {
      name: "CLIENT",
      help: "claude, codex, opencode, gemini or copilot",
      choices: CLIENTS,
    },
  ],
  options: {},
  examples: ["reprise mcp uninstall claude"],
  exits: { 4: "the file cannot be edited" },
  async run({ args }, world) {
    const client = args.CLIENT;
    const { name } = clients[client];
    const file = await readClientFile(client, world);
    const found = entryIn(file);
    const entry = found === null ? null : withoutTokens(found);
    if (entry !== null) {
      if (!world.json)
        world.out.write(
          `${file.path} (${name}), without:\n${indented(entry)}\n`,
        );
      await editClientFile(client, world, (now) =>
        entryIn(now) === null ? (now.text ?? "") : withoutEntry(now),
      );
    }
    const change = entry === null ? "none" : "removed";
    answer(world, { client, file: file.path, entry, change }, () =>
      entry === null
        ? `${name} does not know Reprise: ${file.path} has no such entry.`
        : `Removed. Start ${name} again.`,
    );
    return 0;
  },
});

/** What is shown may be copied into a report. */
const withoutTokens = (entry: string): string =>
  sanitize(entry.replaceAll(/Bearer [^"]+/g, "Bearer …"));
