import { RepriseError } from "../../contract/problem/problem.ts";
import { findServer } from "../../local/find-server.ts";
import { command } from "../parsing/command.ts";
import { indented } from "../terminal/indented.ts";
import { answer } from "../terminal/print.ts";
import { asCalled } from "../terminal/program.ts";
import type { World } from "../terminal/world.ts";
import { CLIENTS, clients, type McpClient, type Reach } from "./clients.ts";
import {
  checkPrivate,
  type ClientFile,
  editClientFile,
  entryIn,
  isOurs,
  renderEntry,
  withEntry,
} from "./client-file.ts";
import { ownProgram } from "./own-program.ts";

export const install = command({
  name: "mcp install",
  summary: "Add Reprise to the MCP servers of a program",
  about:
    "Writes one entry, `reprise`, into that program's own configuration and shows it first; nothing else in the file changes. Start the program again afterwards. `reprise mcp uninstall` takes the entry out.",
  args: [
    {
      name: "CLIENT",
      help: "claude, codex, opencode, gemini or copilot",
      choices: CLIENTS,
    },
  ],
  options: {
    http: {
      kind: "flag",
      help: "connect to the running server instead of starting `reprise mcp`; the entry then holds the server's token",
    },
    print: { kind: "flag", help: "only show what would be written" },
    replace: {
      kind: "flag",
      help: "also take the place of an entry of that name which Reprise did not write",
    },
  },
  examples: ["reprise mcp install claude", "reprise mcp install codex --print"],
  exits: { 4: "the file cannot be edited" },
  async run({ args, options }, world) {
    const client = args.CLIENT;
    const reach = options.http
      ? await serverOf(world)
      : await ownProgram(world);
    const entry = withoutToken(renderEntry(client, reach), reach);
    if (options.print) {
      const path = await clients[client].file(world.env);
      answer(world, { client, file: path, entry, change: "none" }, () =>
        plan(client, path, entry),
      );
      return 0;
    }
    const path = await clients[client].file(world.env);
    let change: Change = "none";
    await editClientFile(client, world, async (file) => {
      if (!options.replace) refuseForeign(file, client);
      const next = withEntry(file, reach);
      const isFirst = change === "none";
      change = changeOf(file, next);
      if (change === "none") return next;
      if (reach.kind === "http") await checkPrivate(file);
      // Told before it is done: whoever stops it here has lost nothing.
      if (isFirst && !world.json)
        world.out.write(`${plan(client, path, entry)}\n`);
      return next;
    });
    answer(world, { client, file: path, entry, change }, () =>
      change === "none"
        ? `${clients[client].name} knows Reprise already: ${path} has the entry.`
        : asCalled(
            `${change === "added" ? "Added" : "Replaced"}. ${afterwards(client)}`,
            world.program,
          ),
    );
    return 0;
  },
});

const serverOf = async (world: World): Promise<Reach> => {
  const { url, token } = await findServer(world);
  if (token === undefined)
    throw new RepriseError(
      "unauthorized",
      `The token of the server at ${url} is not known here. Give it in REPRISE_TOKEN.`,
    );
  return { kind: "http", url: new URL("/mcp", url).href, token };
};

const refuseForeign = (file: ClientFile, client: McpClient): void => {
  const entry = entryIn(file);
  if (entry === null || isOurs(entry)) return;
  throw new RepriseError(
    "wrong_state",
    `${file.path} has an entry named reprise that Reprise did not write. Look at it; \`reprise mcp install ${client} --replace\` puts ours in its place.`,
  );
};

type Change = "none" | "added" | "replaced";

const changeOf = (file: ClientFile, next: string): Change => {
  if (next === file.text) return "none";
  return entryIn(file) === null ? "added" : "replaced";
};

const plan = (client: McpClient, path: string, entry: string): string =>
  `${path} (${clients[client].name}), in ${clients[client].section}:\n${indented(entry)}`;

const afterwards = (client: McpClient): string =>
  `Start ${clients[client].name} again to use it; \`reprise mcp uninstall ${client}\` takes it out.`;

/** What is shown may be copied into a report. */
const withoutToken = (entry: string, reach: Reach): string =>
  reach.kind === "http" ? entry.replaceAll(reach.token, "…") : entry;
