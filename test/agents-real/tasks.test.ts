/** Tasks with real agents: an attempt that was killed, one that ran too long, and more to do. The task is told once. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Attempt, Task, TaskState } from "../../src/contract/task/task.ts";
import {
  eventually,
  patience,
  until,
} from "../../src/kit/fixtures/patience.ts";
import { killAgents } from "../e2e/counting.ts";
import { say } from "../e2e/house.ts";
import type { Asked } from "./model/server.ts";
import type { RealAgent } from "./packages.ts";
import { Scene } from "./scene.ts";
import { SharedScene } from "./shared-scene.ts";

const LIMIT_MS = patience(240_000);

/** A task whose description nobody else's requests hold. */
class Work {
  readonly marker: string = randomUUID();
  readonly passkey: string = randomUUID();
  readonly #scene: Scene;
  #id = "";
  #cwd = "";

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async begin(command: string, timeout_minutes?: number): Promise<void> {
    const { house, client, agent } = this.#scene;
    this.#cwd = join(house.directory, randomUUID());
    await mkdir(this.#cwd);
    const { id } = await client.createTask({
      title: "Continue",
      description: [
        this.marker,
        `store passkey ${this.passkey}`,
        command.replaceAll("DIR", this.#cwd),
      ].join("\n"),
      agent,
      cwd: this.#cwd,
      permissions: "allow-all",
      run: true,
      ...(timeout_minutes !== undefined && { timeout_minutes }),
    });
    this.#id = id;
  }

  get id(): string {
    return this.#id;
  }

  /** The agent has made this file. */
  made(name: string): Promise<void> {
    return until(() => existsSync(join(this.#cwd, name)));
  }

  /** Whether the agent has made this file when the first attempt fails. */
  async failsWith(name: string): Promise<boolean> {
    await this.reaches("FAILED");
    return existsSync(join(this.#cwd, name));
  }

  reaches(state: TaskState): Promise<Task> {
    return eventually(
      () => this.#scene.client.showTask(this.#id),
      (task) => task.state === state,
    );
  }

  async attempts(): Promise<Attempt[]> {
    return (await this.#scene.client.listAttempts(this.#id)).attempts;
  }

  get #asked(): Asked[] {
    return this.#scene.model.asked.filter(
      ({ aside, body }) => !aside && JSON.stringify(body).includes(this.marker),
    );
  }

  /** The agent knows what it was told, and in every request to its model one message of the user holds the description. */
  async provesOneTelling(session: string): Promise<void> {
    const { client, model } = this.#scene;
    const before = this.#asked.length;
    assert.ok(before > 1, "there were later requests");
    const answer = (await say(client, session, "say the passkey")).trim();
    assert.ok(answer.endsWith(this.passkey), answer);
    assert.ok(this.#asked.length > before);
    for (const { conversation } of this.#asked) {
      const told = conversation.items.flatMap((item) =>
        item.kind === "user" && item.text.includes(this.marker)
          ? [item.text.split(this.marker).length - 1]
          : [],
      );
      assert.deepEqual(told, [1]);
    }
    const { messages } = await client.listMessages(session);
    const prompts = messages.filter(
      ({ role, text }) => role === "user" && text.includes(this.marker),
    );
    assert.equal(prompts.length, 1);
    assert.deepEqual(model.strange, []);
    // The next work loses everything: then this agent would be started again.
    await client.endSession(session);
  }
}

/**
 * Work of which the time was used up in the middle of a command. How long an agent takes to get that far is the machine's
 * business: where the time was too short, other work gets twice as much.
 */
const tooLong = async (scene: Scene, command: string): Promise<Work> => {
  for (let minutes = 0.15; ; minutes *= 2) {
    const work = new Work(scene);
    await work.begin(`shell ${command}`, minutes);
    if (await work.failsWith("partial")) return work;
    const { session_id } = await scene.client.showTask(work.id);
    if (session_id !== null) await scene.client.endSession(session_id);
  }
};

const testTasks = (agent: RealAgent): void => {
  describe(agent, { concurrency: 1 }, () => {
    const shared = new SharedScene(() => Scene.make(agent));
    after(() => shared.close());
    const play = (name: string, run: (scene: Scene) => Promise<void>): void =>
      void test(`${agent}: ${name}`, { timeout: LIMIT_MS }, async () => {
        await shared.play(async ({ scene }) => {
          await run(scene);
          return "";
        });
      });

    play(
      "[TSK-10] [TSK-20] an attempt that was killed is continued in the same conversation",
      async (scene) => {
        const work = new Work(scene);
        const latch = scene.house.latch();
        await work.begin(`shell touch DIR/started; ${latch.wait}`);
        await work.made("started");
        const { session_id } = await work.reaches("IN_PROGRESS");
        assert.ok(session_id !== null);
        await killAgents(scene.client, session_id);
        await work.reaches("FAILED");
        latch.open();
        await scene.client.retryTask(work.id, { mode: "continue" });
        const task = await work.reaches("REVIEW");
        assert.deepEqual(task.session_ids, [session_id]);
        const [first, second] = await work.attempts();
        assert.deepEqual(
          [first?.outcome, second?.outcome, second?.mode, second?.grade],
          ["interrupted", "succeeded", "continue", "native"],
        );
        assert.equal(second?.agent_session_id, first?.agent_session_id);
        await work.provesOneTelling(session_id);
      },
    );

    play(
      "[TSK-21] [TSK-22] an attempt that ran too long is continued where it was stopped, also when everything died meanwhile",
      async (scene) => {
        const latch = scene.house.latch();
        const work = await tooLong(scene, `touch DIR/partial; ${latch.wait}`);
        const { session_id } = await scene.client.showTask(work.id);
        assert.ok(session_id !== null);
        latch.open();
        await scene.loseEverything();
        await scene.client.retryTask(work.id);
        const task = await work.reaches("REVIEW");
        assert.deepEqual(task.session_ids, [session_id]);
        const [first, second] = await work.attempts();
        assert.deepEqual(
          [first?.outcome, second?.outcome, second?.mode, second?.grade],
          ["timed_out", "succeeded", "continue", "native"],
        );
        await work.provesOneTelling(session_id);
      },
    );

    play(
      "[TSK-18] [TSK-19] what is added later reaches the same conversation as something new",
      async (scene) => {
        const work = new Work(scene);
        await work.begin("shell touch DIR/one");
        const { session_id } = await work.reaches("REVIEW");
        assert.ok(session_id !== null);
        await scene.loseEverything();
        const addition = randomUUID();
        await scene.client.addContext(work.id, { text: addition });
        const task = await eventually(
          () => scene.client.showTask(work.id),
          ({ state, attempts }) => state === "REVIEW" && attempts === 2,
        );
        assert.deepEqual(task.session_ids, [session_id]);
        const second = (await work.attempts())[1];
        assert.deepEqual(
          [second?.mode, second?.outcome, second?.grade],
          ["update", "succeeded", "native"],
        );
        const news = scene.model.asked.filter(
          ({ prompt, aside }) => !aside && prompt?.includes(addition) === true,
        );
        assert.match(news[0]?.prompt ?? "", /extended \(version 2\)/);
        await work.provesOneTelling(session_id);
      },
    );
  });
};

testTasks("claude");
testTasks("codex");
