/** What happens in the pictures: sessions of the demo agent that are brought into each state for real. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "../../src/client/client.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { killAgentOf } from "../../test/e2e/counting.ts";
import { say, type TestHouse } from "../../test/e2e/house.ts";

const run = promisify(execFile);

export interface Stories {
  sessions: {
    /** With a break, a change and a question. */
    main: string;
    interrupted: string;
    paused: string;
    working: string;
    rewound: string;
    quota: string;
    ended: string;
  };
  task: string;
}

export const playStories = async (
  house: TestHouse,
  client: Client,
): Promise<Stories> => {
  const cwd = await makeShop(house);
  const play = new Play(house, client, cwd);
  const sessions = {
    main: await play.main(),
    interrupted: await play.interrupted(),
    paused: await play.paused(),
    working: await play.working(),
    rewound: await play.rewound(),
    quota: await play.quota(),
    ended: await play.ended(),
  };
  await play.trashed();
  return { sessions, task: await play.task() };
};

/** A small project under git. */
const makeShop = async (house: TestHouse): Promise<string> => {
  const cwd = join(house.directory, "shop");
  await mkdir(join(cwd, "src"), { recursive: true });
  const files = {
    "README.md": "# Shop\n\nOrders, carts and a login.\n",
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "src/login.ts":
      "export const login = (name: string, password: string) =>\n  name === password;\n",
    "src/server.ts":
      'import { login } from "./login.ts";\n\nexport const serve = () => login("a", "b");\n',
  };
  for (const [path, text] of Object.entries(files))
    await writeFile(join(cwd, path), text);
  const git = (...args: string[]) => run("git", ["-C", cwd, ...args]);
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin the shop");
  return cwd;
};

class Play {
  readonly #house: TestHouse;
  readonly #client: Client;
  readonly #cwd: string;

  constructor(house: TestHouse, client: Client, cwd: string) {
    this.#house = house;
    this.#client = client;
    this.#cwd = cwd;
  }

  async main(): Promise<string> {
    const id = await this.#begin("Add rate limits to the login");
    await say(
      this.#client,
      id,
      [
        "Keep in mind what we agreed on: ten attempts a minute.",
        "remember limit=10",
      ].join("\n"),
    );
    await say(
      this.#client,
      id,
      [
        "Put the number into a file of its own.",
        "write src/limit.ts export const attemptsPerMinute = 10;",
      ].join("\n"),
    );
    await this.#queue(id, "Look where else it is needed.\ncrash");
    await this.#dropped(id);
    await this.#resumed(id);
    await say(this.#client, id, "Which limit was it?\nrecall limit");
    await this.#asked(
      id,
      "Close the login until it is done.\nask-write src/login.ts export const login = () => false;",
    );
    return id;
  }

  async interrupted(): Promise<string> {
    const id = await this.#begin("Move the cart to the new API");
    await say(this.#client, id, "write src/cart.ts export const cart = [];");
    await this.#queue(id, "count 100000 100");
    await this.#working(id);
    await killAgentOf(this.#house, this.#client, id);
    await this.#cutOff(id);
    return id;
  }

  async paused(): Promise<string> {
    const id = await this.#begin("Write the release notes");
    await say(this.#client, id, "write NOTES.md Everything is faster.");
    await this.#client.pauseSession(id);
    return id;
  }

  async working(): Promise<string> {
    const id = await this.#begin("Run the long tests");
    await this.#queue(id, "count 100000 500");
    await this.#working(id);
    return id;
  }

  async rewound(): Promise<string> {
    const id = await this.#begin("Try another database");
    for (const text of ["one", "two", "three"])
      await say(
        this.#client,
        id,
        `write src/db.ts export const db = "${text}";`,
      );
    await this.#client.rewindSession(id, { turn: 1 });
    await say(this.#client, id, 'write src/db.ts export const db = "other";');
    return id;
  }

  async quota(): Promise<string> {
    const id = await this.#begin("Translate the texts");
    await this.#queue(id, "quota 3600");
    await eventually(
      () => this.#client.showSession(id),
      ({ quota }) => quota !== undefined && quota !== null,
    );
    return id;
  }

  async ended(): Promise<string> {
    const id = await this.#begin("Fix the failing test");
    await say(this.#client, id, "write src/test.ts export const ok = true;");
    await this.#client.endSession(id);
    return id;
  }

  async trashed(): Promise<void> {
    const id = await this.#begin("An idea that came to nothing");
    await say(this.#client, id, "remember idea=none");
    await this.#client.deleteSession(id);
  }

  async task(): Promise<string> {
    const { id } = await this.#client.createTask({
      title: "Speed up the search",
      description: "write src/search.ts export const search = () => [];",
      agent: "demo",
      cwd: this.#cwd,
      run: true,
    });
    await eventually(
      () => this.#client.showTask(id),
      ({ state }) => state === "REVIEW",
    );
    return id;
  }

  async #begin(name: string): Promise<string> {
    const { id } = await this.#client.createSession({
      agent: "demo",
      name,
      cwd: this.#cwd,
    });
    return id;
  }

  #queue(id: string, text: string): Promise<unknown> {
    return this.#client.queuePrompt(id, {
      content: [{ type: "text", text }],
    });
  }

  async #asked(id: string, text: string): Promise<void> {
    await this.#queue(id, text);
    await eventually(
      () => this.#client.showSession(id),
      ({ pending_permissions }) => pending_permissions.length > 0,
    );
  }

  /** It counts. */
  async #working(id: string): Promise<void> {
    await eventually(
      () => this.#client.showSession(id),
      ({ last_words }) => /^\d+\n/.test(last_words ?? ""),
    );
  }

  /** The prompt that the agent died of is not sent again. */
  async #dropped(id: string): Promise<void> {
    const { unresolved_prompts } = await this.#cutOff(id);
    for (const prompt of unresolved_prompts)
      await this.#client.resolvePrompt(id, prompt.id, "drop");
  }

  #cutOff(id: string): Promise<Session> {
    return eventually(
      () => this.#client.showSession(id),
      ({ unresolved_prompts }) => unresolved_prompts.length > 0,
    );
  }

  async #resumed(id: string): Promise<void> {
    await this.#client.resumeSession(id);
    await eventually(
      () => this.#client.showSession(id),
      ({ is_agent_running }) => is_agent_running,
    );
  }
}
