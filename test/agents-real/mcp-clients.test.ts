/**
 * Real Claude Code and Codex as users of the MCP door. The scripted model makes them call our tools; behind the tools works the
 * demo agent, whose ledger tells how often it was given a prompt.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import * as z from "zod";
import { usedInTurn } from "../../src/kit/fixtures/in-turn.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { identify } from "../../src/kit/processes/process-identity.ts";
import { type Server, TestHouse } from "../e2e/house.ts";
import { type Model, startModel } from "./model/server.ts";
import { makeStage, type Stage } from "./stage.ts";

type McpUser = "claude" | "codex";

/** How each is run for one prompt, and for another one in the same conversation. */
const commandLines: Record<
  McpUser,
  { first(prompt: string): string[]; next(prompt: string): string[] }
> = {
  claude: {
    first: (prompt) => ["claude", "-p", prompt, ...CLAUDE],
    next: (prompt) => ["claude", "-p", prompt, "--continue", ...CLAUDE],
  },
  codex: {
    first: (prompt) => ["codex", "exec", ...CODEX, prompt],
    next: (prompt) => ["codex", "exec", "resume", "--last", ...CODEX, prompt],
  },
};
const CLAUDE = ["--allowedTools", "mcp__reprise"];
const CODEX = [
  "--skip-git-repo-check",
  "--dangerously-bypass-approvals-and-sandbox",
  // Of this one Codex knows nothing, so it offers every tool at once instead of letting the model look for them.
  "--model",
  "scripted",
  // Its first request would not wait for our tools.
  "--config",
  "mcp_servers.reprise.required=true",
];

/** A program that was told of Reprise by `reprise mcp install`, and a server. */
class McpScene implements AsyncDisposable {
  readonly user: McpUser;
  readonly house: TestHouse;
  readonly server: Server;
  readonly stage: Stage;
  readonly model: Model;
  readonly #ends = new AsyncDisposableStack();

  private constructor(
    parts: Pick<McpScene, "user" | "house" | "server" | "stage" | "model">,
  ) {
    this.user = parts.user;
    this.house = parts.house;
    this.server = parts.server;
    this.stage = parts.stage;
    this.model = parts.model;
  }

  static async make(user: McpUser): Promise<McpScene> {
    await using ends = new AsyncDisposableStack();
    const model = ends.use(await startModel());
    const stage = ends.use(await makeStage(user, model));
    const house = ends.use(await TestHouse.make({ pass_env: ["DEMO_LEDGER"] }));
    const ledger = join(house.directory, "ledger");
    await writeFile(ledger, "");
    const server = await house.up({ DEMO_LEDGER: ledger });
    const scene = new McpScene({ user, house, server, stage, model });
    // One that the door itself has started.
    ends.defer(() => scene.killServer());
    const told = await house.cli(["mcp", "install", user], {
      env: { ...stage.env, HOME: stage.directory },
    });
    assert.equal(told.code, 0, told.err);
    scene.#ends.use(ends.move());
    return scene;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ends.disposeAsync();
  }

  start(how: "first" | "next", prompt: string): ChildProcess {
    const [program = "", ...args] = commandLines[this.user][how](prompt);
    return spawn(program, args, {
      cwd: this.stage.workspace,
      env: this.stage.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** What it says in the end. */
  async ask(how: "first" | "next", prompt: string): Promise<string> {
    return answerOf(this.start(how, prompt));
  }

  /** The prompts that the agent was given. */
  async ledger(): Promise<string> {
    return readFile(join(this.house.directory, "ledger"), "utf8");
  }

  /** Resolves once the agent works on the prompt. */
  async taken(words: string): Promise<void> {
    await eventually(
      () => this.ledger(),
      (ledger) => ledger.includes(words),
    );
  }

  async killServer(): Promise<void> {
    const file = join(this.house.home, "server.json");
    const { pid } = z
      .object({ pid: z.number() })
      .parse(JSON.parse(await readFile(file, "utf8").catch(() => '{"pid":0}')));
    if (pid !== 0) await killHard(pid);
  }

  /** `reprise mcp`, as the program started it. */
  async killDoor(): Promise<void> {
    const pids = await doorsOf(this.house.home);
    assert.notEqual(pids.length, 0);
    for (const pid of pids) await killHard(pid);
  }
}

const answerOf = async (child: ChildProcess): Promise<string> => {
  assert.ok(child.stdout !== null && child.stderr !== null);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, "close");
  return (await output).join("\n");
};

const killHard = async (pid: number): Promise<void> => {
  const known = await identify(pid);
  if (known === null) return;
  process.kill(pid, "SIGKILL");
  await eventually(
    () => identify(pid),
    (now) => now?.start_time !== known.start_time,
  );
};

const doorsOf = async (home: string): Promise<number[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(
        () => "",
      );
      return line.includes(`\0mcp\0--home\0${home}\0`) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
};

const call = (tool: string, input: object): string =>
  `tool ${tool} ${JSON.stringify(input)}`;

const timesIn = (text: string, words: string): number =>
  text.split(words).length - 1;

const TIMEOUT = patience(180_000);

for (const user of ["claude", "codex"] as const) {
  /** One server for all tests of a program. The kill of the server comes last: the next one is not ours. */
  const inScene = usedInTurn(() => McpScene.make(user));
  test(
    `[MCP-67] ${user} as an MCP client: an agent remembers a passkey across two invocations`,
    {
      timeout: TIMEOUT,
    },
    () =>
      inScene(async (scene) => {
        const passkey = randomUUID();
        const invoked = await scene.ask(
          "first",
          call("invoke_agent", {
            agentName: "demo",
            prompt: `remember passkey=${passkey}`,
          }),
        );
        assert.match(
          invoked,
          /The tool said: .*"?status"?.*completed/s,
          invoked,
        );
        const recalled = await scene.ask(
          "next",
          call("invoke_agent", {
            agentName: "demo",
            prompt: "recall passkey",
            continueSessionId: "$session",
          }),
        );
        const [, said = ""] = recalled.split("The tool said:");
        assert.ok(said.includes(`passkey=${passkey}`), recalled);
        const { sessions } = await scene.server.client.listSessions();
        assert.equal(sessions.length, 1);
        assert.equal(timesIn(await scene.ledger(), passkey), 1);
        assert.deepEqual(scene.model.strange, []);
      }),
  );

  for (const killed of ["the MCP process", user, "the server"] as const)
    test(
      `[MCP-67] ${user} as an MCP client: ${killed} killed in the middle of a call, the result is still fetched and the prompt ran once`,
      {
        timeout: TIMEOUT,
      },
      () =>
        inScene(async (scene) => {
          const { client } = scene.server;
          const known = new Set(
            (await client.listSessions()).sessions.map(({ id }) => id),
          );
          const passkey = randomUUID();
          const latch = scene.house.latch();
          const running = scene.start(
            "first",
            call("invoke_agent", {
              agentName: "demo",
              prompt: `remember passkey=${passkey}\nrun ${latch.wait}\nrecall passkey`,
            }),
          );
          const answer = answerOf(running);
          await scene.taken(passkey);
          const { sessions } = await client.listSessions();
          const [session, ...more] = sessions.filter(
            ({ id }) => !known.has(id),
          );
          assert.ok(session !== undefined);
          assert.deepEqual(more, []);
          if (killed === "the MCP process") await scene.killDoor();
          else if (killed === "the server") await scene.server.kill();
          else running.kill("SIGKILL");
          latch.open();
          await answer;
          const fetched = await scene.ask(
            killed === user ? "first" : "next",
            call("wait_for_session", { sessionId: session.id }),
          );
          const [, said = ""] = fetched.split("The tool said:");
          assert.match(said, /completed/, fetched);
          assert.ok(said.includes(`passkey=${passkey}`), fetched);
          assert.equal(timesIn(await scene.ledger(), passkey), 1);
        }),
    );
}
