/** mcpdo, the MCP client for shells: every command is a process of its own, a daemon of theirs keeps the connection. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { endProcess } from "../../src/executors/fixtures/end-daemon.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { inspectorProgram } from "./inspector.ts";
import { bin, type Era, eras } from "./mcp-client.ts";

const test = sharedHouse();

/** A call that waits for somebody: mcpdo has returned, and its daemon keeps the call. */
const Form = z.object({
  elicitationPending: z.object({
    elicitationId: z.string(),
    message: z.string(),
    origin: z.string(),
  }),
});

const Result = z.object({
  structuredContent: z.looseObject({
    status: z.string(),
    text: z.string(),
    sessionId: z.string(),
    promptId: z.string(),
  }),
});

class Mcpdo implements AsyncDisposable {
  readonly #scene: Scene;
  readonly #program: string;
  readonly #door: string;
  /** In the environment of everything that mcpdo starts. */
  readonly #mark = crypto.randomUUID();

  private constructor(scene: Scene, program: string) {
    this.#scene = scene;
    this.#program = program;
    this.#door = join(scene.workspace, "door");
  }

  static async connected(scene: Scene, era: Era): Promise<Mcpdo> {
    const mcpdo = new Mcpdo(scene, await inspectorProgram("mcpdo"));
    const door = mcpdo.#door;
    await writeFile(
      door,
      `#!/bin/sh\nsh -c 'echo $$ >"$0.pid"; exec "$1" mcp' '${door}' '${bin}' | tee -a '${door}.said'\n`,
    );
    await chmod(door, 0o700);
    const { house, workspace } = scene;
    const connected = z
      .object({ protocolEra: z.string() })
      .parse(
        await mcpdo.run(
          "connect",
          "--connection",
          "r",
          "--era",
          era,
          "--cwd",
          workspace,
          "-e",
          `REPRISE_HOME=${house.home}`,
          "-e",
          `HOME=${house.directory}`,
          "--",
          door,
        ),
      );
    assert.equal(connected.protocolEra, era);
    return mcpdo;
  }

  /** One command of the shell; resolves with the JSON that it printed. */
  async run(...args: string[]): Promise<unknown> {
    const { house, workspace } = this.#scene;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [this.#program, "--format", "json", ...args],
      {
        cwd: workspace,
        env: house.env({
          MCP_INSPECTOR_DAEMON_DIR: join(workspace, "mcpdo"),
          MCP_INSPECTOR_SECRET_STORE: "file",
          REPRISE_TEST_MCPDO: this.#mark,
        }),
        timeout: patience(60_000),
      },
    );
    return JSON.parse(stdout);
  }

  call(tool: string, ...args: string[]): Promise<unknown> {
    return this.run("@r", "tools/call", tool, ...args);
  }

  respond(id: string, option: string): Promise<unknown> {
    return this.run("@r", "elicitation/respond", id, `option:=${option}`);
  }

  /** Resolves once the door has said this. */
  async heard(words: RegExp): Promise<void> {
    await eventually(
      () => readFile(`${this.#door}.said`, "utf8"),
      (said) => words.test(said),
    );
  }

  async killDoor(): Promise<void> {
    await endProcess(Number(await readFile(`${this.#door}.pid`, "utf8")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endMarked(`REPRISE_TEST_MCPDO=${this.#mark}`, patience(5000));
  }
}

for (const era of eras)
  test(`[MCP-16] [MCP-17] mcpdo is shown the form of a permission and answers it from a shell, ${era}`, async (scene) => {
    await using mcpdo = await Mcpdo.connected(scene, era);
    const asked = Form.parse(
      await mcpdo.call("invoke_agent", "agentName:=demo", "prompt:=ask may I?"),
    ).elicitationPending;
    assert.equal(asked.message, "demo asks for permission: may I?");
    const { structuredContent: answer } = Result.parse(
      await mcpdo.respond(asked.elicitationId, "allow_once"),
    );
    assert.equal(answer.status, "completed");
    assert.equal(answer.text, "You chose allow_once.");
    const { turn_count } = await scene.client.showSession(answer.sessionId);
    assert.equal(turn_count, 1);
  });

test("[MCP-12] [MCP-13] [MCP-18] mcpdo takes a task handle, answers its form, and reads its result after kill -9 of the MCP process", async (scene) => {
  using latch = scene.house.latch();
  await using mcpdo = await Mcpdo.connected(scene, "modern");
  const calling = mcpdo.call(
    "invoke_agent",
    "agentName:=demo",
    "waitSeconds:=0",
    `prompt:=run ${latch.wait}\nask may I?`,
  );
  await mcpdo.heard(/"resultType":"task"/);
  latch.open();
  const asked = Form.parse(await calling).elicitationPending;
  assert.equal(asked.origin, "task-input-required");
  const { structuredContent: answer } = Result.parse(
    await mcpdo.respond(asked.elicitationId, "reject_once"),
  );
  assert.equal(answer.status, "completed");
  assert.match(answer.text, /You chose reject_once\./);

  await mcpdo.killDoor();
  const task = `${answer.sessionId}.${answer.promptId}`;
  const { structuredContent: kept } = Result.parse(
    await mcpdo.run("@r", "tasks/result", task),
  );
  assert.deepEqual(kept, answer);
});
