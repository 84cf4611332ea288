import { type Client, ServerUnreachable } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { ABOUT_THE_TOKEN } from "../text/advice.ts";
import { agentsHere } from "../server/login.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";
import { checkAgents } from "./agents.ts";
import { checkHosts } from "./hosts.ts";
import { checkWebhooks } from "./webhooks.ts";
import { type Finding, fail, ok, warn } from "./check.ts";
import type { Damage } from "../../contract/api/damage-route.ts";

/** One that is well answers at once; one that is frozen never does. */
const PATIENCE_MS = 10_000;

/** The server, and what only it can tell. Not running is no illness: nothing was asked of it yet. */
export const checkServer = async (
  client: Client,
  world: Pick<World, "version" | "env" | "cwd">,
  patienceMs = PATIENCE_MS,
): Promise<Finding[]> => {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const { version } = await client.call("health", { signal });
    const damage = await damageOf(client);
    const webhooks = checkWebhooks(await webhooksOf(client));
    const agents = await agentsFound(client, world);
    const { places } = await client.listExecutors();
    return [
      version === world.version
        ? ok("server", `${client.url}, version ${version}`)
        : warn(
            "server",
            `${client.url} is version ${oneLine(version)}, this is ${world.version}`,
            "reprise up",
          ),
      ...checkDamage(damage),
      ...webhooks,
      ...agents,
      ...checkHosts(places),
    ];
  } catch (error) {
    return [illness(client, error)];
  }
};

/** Agents are looked at by agentctl, so this tells whether it answers. */
const agentsFound = async (
  client: Client,
  world: Pick<World, "env" | "cwd">,
): Promise<Finding[]> => {
  try {
    return checkAgents((await agentsHere(client, world)).agents);
  } catch (error) {
    if (error instanceof RepriseError && UNANSWERED.has(error.code))
      return [fail("agentctl", oneLine(error.message))];
    throw error;
  }
};

const UNANSWERED: ReadonlySet<string> = new Set([
  "agentctl_unavailable",
  "timed_out",
]);

/** A server of an earlier release does not know. */
const unlessOlder =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof RepriseError && error.code === "not_found")
      return instead;
    throw error;
  };

const damageOf = (client: Client) =>
  client
    .showDamage()
    .catch(unlessOlder<Damage>({ database: [], sessions: [] }));

const webhooksOf = async (client: Client) =>
  (await client.listWebhooks().catch(unlessOlder({ webhooks: [] }))).webhooks;

const illness = (client: Client, error: unknown): Finding => {
  if (error instanceof ServerUnreachable)
    return warn("server", `none answers at ${client.url}`, "reprise up");
  if (error instanceof DOMException && error.name === "TimeoutError")
    return fail(
      "server",
      `${client.url} is there and does not answer`,
      "reprise up --take-over",
    );
  if (error instanceof RepriseError && error.code === "unauthorized")
    return fail(
      "server",
      `${client.url} refuses the token. ${ABOUT_THE_TOKEN}`,
    );
  return fail(
    "server",
    `${client.url}: ${oneLine(error instanceof Error ? error.message : String(error))}`,
  );
};

/** What the server knows to be damaged: the database as a whole, and each session with what can be done about it. */
export const checkDamage = ({ database, sessions }: Damage): Finding[] => {
  if (database.length === 0 && sessions.length === 0)
    return [ok("database", "nothing is known to be damaged")];
  return [
    ...database.map((words) => fail("database", oneLine(words))),
    ...sessions.map(({ id, name, damaged_from }) =>
      fail(
        "database",
        `${id}${name === null ? "" : ` (${oneLine(name)})`} is damaged from event ${damaged_from} on; go on from an earlier turn, or delete it`,
        `reprise session fork ${id}`,
      ),
    ),
  ];
};
