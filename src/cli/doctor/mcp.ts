/** The programs that were told of Reprise: whether what they were told is still true. */
import type { Address } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { findServer } from "../../local/find-server.ts";
import { entryIn, readClientFile } from "../mcp/client-file.ts";
import { CLIENTS, clients, type McpClient } from "../mcp/clients.ts";
import { isStartable } from "../mcp/own-program.ts";
import type { World } from "../terminal/world.ts";
import { type Finding, ok, warn } from "./check.ts";

type Here = Pick<World, "env" | "cwd">;

/** One finding for each program that has the entry: none has to. */
export const checkMcpClients = async (world: Here): Promise<Finding[]> => {
  const findings = await Promise.all(
    CLIENTS.map((client) => checkClient(client, world)),
  );
  return findings.filter((each) => each !== null);
};

const checkClient = async (
  client: McpClient,
  world: Here,
): Promise<Finding | null> => {
  const name = `mcp ${client}`;
  try {
    const file = await readClientFile(client, world);
    const entry = entryIn(file);
    if (entry === null) return null;
    const wrong = await whatIsWrong(entry, world);
    return wrong === null
      ? ok(name, `${clients[client].name} knows Reprise (${file.path})`)
      : warn(name, `${file.path}: ${wrong}`, `reprise mcp install ${client}`);
  } catch (error) {
    if (error instanceof RepriseError) return warn(name, error.message);
    return warn(
      name,
      `its configuration cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

/** Both forms, JSON and TOML, write these members alike. */
const whatIsWrong = async (
  entry: string,
  world: Here,
): Promise<string | null> => {
  const url = /\burl"? *[:=] *"([^"]+)"/.exec(entry)?.[1];
  if (url !== undefined) return wrongServer(url, entry, world);
  const command = /\bcommand"? *[:=] *(?:\[\s*)?"([^"]+)"/.exec(entry)?.[1];
  if (command === undefined) return "the entry names no program";
  return (await isStartable(command))
    ? null
    : `the program ${command} is not there any more`;
};

/** Only what can be said for certain: a server that does not run now may have another address next time. */
const wrongServer = async (
  url: string,
  entry: string,
  world: Here,
): Promise<string | null> => {
  const server = await findServer(world).catch((): Address | null => null);
  if (server === null) return null;
  if (new URL("/mcp", server.url).href !== url)
    return `the server is at ${server.url} now, not at ${url}`;
  return server.token === undefined || entry.includes(server.token)
    ? null
    : "the server has another token now";
};
