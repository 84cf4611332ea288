/** A Reprise with one real agent behind it and the scripted model behind that. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Client } from "../../src/client/client.ts";
import type { AgentOverride } from "../../src/contract/agent/agent.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { killEverything } from "../e2e/counting.ts";
import {
  type Server,
  TestHouse,
  say,
  seenUntil,
  turnEnded,
} from "../e2e/house.ts";
import { type Asked, type Model, startModel } from "./model/server.ts";
import type { RealAgent } from "./packages.ts";
import { makeStage, type Stage } from "./stage.ts";

/** How the history is announced to an agent that gets it in its first prompt. */
const INJECTION = "RESUME CONTEXT FOR CONTINUING TASK";

type Agents = Readonly<Record<string, AgentOverride>>;

export class Scene {
  readonly agent: RealAgent;
  readonly model: Model;
  /** The agent's own. */
  readonly stage: Stage;
  readonly #stages: readonly Stage[];
  readonly #agents: Agents;
  /** By session: what its agent was told last. */
  readonly #passkeys = new Map<string, string>();
  #house: TestHouse;
  #server: Server;

  private constructor(
    [stage, ...others]: [Stage, ...Stage[]],
    model: Model,
    agents: Agents,
    house: TestHouse,
    server: Server,
  ) {
    this.agent = stage.agent;
    this.model = model;
    this.stage = stage;
    this.#stages = [stage, ...others];
    this.#agents = agents;
    this.#house = house;
    this.#server = server;
  }

  /** `others` are there too, for a session that changes hands. */
  static async make(
    agent: RealAgent,
    override: AgentOverride | ((stage: Stage) => AgentOverride) = {},
    others: readonly RealAgent[] = [],
  ): Promise<Scene> {
    const model = await startModel();
    const stage = await makeStage(agent, model);
    const more: Stage[] = [];
    for (const other of others) more.push(await makeStage(other, model));
    const agents: Agents = {
      ...Object.fromEntries(more.map(({ agent, env }) => [agent, { env }])),
      [agent]: {
        env: stage.env,
        ...(typeof override === "function" ? override(stage) : override),
      },
    };
    const house = await TestHouse.make({ agents });
    const server = await house.up();
    return new Scene([stage, ...more], model, agents, house, server);
  }

  get house(): TestHouse {
    return this.#house;
  }

  get client(): Client {
    return this.#server.client;
  }

  /** The link that signs in to the page. */
  get link(): string {
    return `${this.#server.url}/#token=${this.#server.token}`;
  }

  /** A session that was told a passkey of its own, in its first turn. */
  async begin(more: Partial<CreateSessionInput> = {}): Promise<string> {
    const passkey = randomUUID();
    const { id } = await this.client.createSession({
      agent: this.agent,
      cwd: this.house.workspace,
      prompt: `store passkey ${passkey}`,
      ...more,
    });
    this.#passkeys.set(id, passkey);
    await seenUntil(this.client, id, turnEnded(1));
    return id;
  }

  /** Tells the session another passkey; resolves with the number of the turn before. */
  async tellAnother(session: string): Promise<number> {
    const passkey = randomUUID();
    const { last_seq } = await this.client.showSession(session);
    await say(this.client, session, `store passkey ${passkey}`);
    this.#passkeys.set(session, passkey);
    const begun = await seenUntil(
      this.client,
      session,
      ({ type }) => type === "session.turn.started",
      last_seq,
    );
    const turn = begun.at(-1);
    assert.equal(turn?.type, "session.turn.started");
    return turn.data.turn - 1;
  }

  /** The passkey that the session was told last. */
  passkeyOf(session: string): string {
    return this.#passkeys.get(session) ?? assert.fail("it was told none");
  }

  /** The session goes on from a moment at which this was the passkey. */
  wentBackTo(session: string, passkey: string): void {
    this.#passkeys.set(session, passkey);
  }

  /** What the agent answers when it is asked for the passkey. */
  async recall(session: string): Promise<string> {
    return (await say(this.client, session, "say the passkey")).trim();
  }

  /** How often the model was asked to answer this very prompt. */
  asked(prompt: string): number {
    return this.model.asked.filter(
      (asked) => !asked.aside && asked.prompt === prompt,
    ).length;
  }

  /** What the model was asked for this session: whatever holds its passkey. */
  askedFor(session: string): Asked[] {
    const passkey = this.passkeyOf(session);
    return this.model.asked.filter(({ body }) =>
      JSON.stringify(body).includes(passkey),
    );
  }

  /** Whether the model was ever given a history of this session that Reprise had written. */
  isInjected(session: string): boolean {
    return this.askedFor(session).some(({ body }) =>
      JSON.stringify(body).includes(INJECTION),
    );
  }

  /** Nothing is left to be decided about turns that were cut off: the next row begins with none. */
  async dropUnresolved(session: string): Promise<void> {
    const { unresolved_prompts } = await this.client.showSession(session);
    for (const { id } of unresolved_prompts)
      await this.client.resolvePrompt(session, id, "drop");
  }

  /** Server, agentctl and agents end at once, as with the power; then there is a new server. */
  async loseEverything(): Promise<void> {
    await killEverything(this.#house, this.#server);
    this.#server = await this.#house.up();
  }

  /** The server ends; something is done to what it left; a new one starts. */
  async whileDown(act: () => void | Promise<void>): Promise<void> {
    await this.#server.stop();
    await act();
    this.#server = await this.#house.up();
  }

  /** Only the server: whatever else runs goes on. */
  async killServer(): Promise<void> {
    await this.#server.kill();
  }

  async up(): Promise<void> {
    this.#server = await this.#house.up();
  }

  /** Everything is gone, and the agent's home with it; then there is another Reprise, which knows nothing. */
  async moveHouse(): Promise<void> {
    await this.#house[Symbol.asyncDispose]();
    await this.stage.renewHome();
    this.#house = await TestHouse.make({ agents: this.#agents });
    this.#server = await this.#house.up();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#house[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
    for (const stage of this.#stages) await stage[Symbol.asyncDispose]();
  }
}

/** The grade of a session's last resume, after it was shown to be the truth: the agent knows the passkey. */
export const provenGrade = async (
  scene: Scene,
  session: string,
): Promise<string> => {
  const answer = await scene.recall(session);
  // Agents put remarks of their own before it.
  assert.ok(answer.endsWith(scene.passkeyOf(session)), answer);
  const { resume } = await scene.client.showSession(session);
  assert.equal(
    scene.isInjected(session),
    resume?.grade === "injected",
    "the history reaches the model exactly when we say so",
  );
  assert.equal(resume?.verified, resume?.grade === "native");
  assert.deepEqual(scene.model.strange, []);
  return resume?.grade ?? "none";
};
