import assert from "node:assert/strict";
import type { CheckpointKind } from "../../src/contract/checkpoint.ts";
import type { Event } from "../../src/contract/event.ts";
import { RepriseError, type ProblemCode } from "../../src/contract/problem.ts";
import type { CreateSessionInput } from "../../src/contract/request.ts";
import { promptOverSocket } from "../chaos/socket-prompt.ts";
import { spoken } from "../e2e/house.ts";
import { Watcher } from "./watcher.ts";
import type { World } from "./world.ts";

interface Acknowledged {
  id: string;
  text: string;
}

/** Somebody who works with one session and remembers everything that was acknowledged. */
export class User {
  readonly session: string;
  readonly world: World;
  readonly watcher: Watcher;
  readonly #acknowledged: Acknowledged[] = [];
  /** The last time the session was in ERROR. */
  #excused = 0;

  private constructor(world: World, session: string) {
    this.world = world;
    this.session = session;
    this.watcher = new Watcher(world, session);
  }

  static async create(
    world: World,
    request: CreateSessionInput = {},
  ): Promise<User> {
    const body = {
      cwd: world.house.workspace,
      env: { DEMO_LEDGER: world.ledger },
      ...request,
    };
    const create = () =>
      world.insist((client) => client.createSession(body, { key: "create" }));
    const { id } = await create();
    assert.equal((await create()).id, id, "the first answer again");
    return new User(world, id);
  }

  /** Gives a prompt; resolves with the agent's words when its turn has ended. */
  async say(text: string, over: "http" | "socket" = "http"): Promise<string> {
    const id = await this.queue(text, over);
    const ended = await this.#until(
      (event) =>
        event.type === "session.turn.ended" && event.data.prompt_id === id,
    );
    assert.ok(ended.type === "session.turn.ended");
    const { turn } = ended.data;
    const started = this.watcher.seen.find(
      (event) =>
        event.type === "session.turn.started" && event.data.turn === turn,
    );
    return spoken(this.watcher.seen.slice(started?.seq, ended.seq));
  }

  /** An agent that could not be started is asked for again, as a person would do. */
  async #until(fits: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const event = await this.watcher.until(
        (each) => fits(each) || (isError(each) && each.seq > this.#excused),
      );
      if (!isError(event)) return event;
      this.#excused = event.seq;
      await this.resume();
    }
  }

  async queue(text: string, over: "http" | "socket" = "http"): Promise<string> {
    const id = await this.#queue(text, over);
    this.#acknowledged.push({ id, text });
    return id;
  }

  async #queue(text: string, over: "http" | "socket"): Promise<string> {
    const key = text.slice(0, 100).replaceAll(/\s/g, "-");
    const { id } = await this.world.insist((client, server) =>
      over === "http"
        ? client.queuePrompt(this.session, { text }, { key })
        : promptOverSocket(server, this.session, text, key, server.gone),
    );
    return id;
  }

  /** Allows what the agent asks for. */
  async permit(): Promise<void> {
    const event = await this.watcher.until(
      ({ type }) => type === "session.permission.requested",
    );
    assert.ok(event.type === "session.permission.requested");
    const { id, options } = event.data.permission;
    const allow = options.find(({ kind }) => kind === "allow_once");
    await this.#once("permission_closed", () =>
      this.world.insist((client) =>
        client.answerPermission(this.session, id, allow?.id ?? ""),
      ),
    );
  }

  async cancel(): Promise<void> {
    await this.world.insist((client) => client.cancelTurn(this.session));
  }

  async pause(): Promise<void> {
    await this.world.insist((client) => client.pauseSession(this.session));
    await this.watcher.until(
      (event) =>
        event.type === "session.state_changed" && event.data.to === "PAUSED",
    );
  }

  async resume(): Promise<void> {
    await this.world.insist((client) => client.resumeSession(this.session));
  }

  /** Back to what a turn left. Asking again after a lost answer is harmless. */
  async rewind(turn: number): Promise<void> {
    const after = this.watcher.seen.length;
    await this.#once("wrong_state", () =>
      this.world.insist((client) =>
        client.rewindSession(this.session, { turn }),
      ),
    );
    await this.watcher.until(({ type }) => type === "session.rewound", after);
  }

  async captured(kind: CheckpointKind, turn: number): Promise<void> {
    await this.watcher.until(
      (event) =>
        event.type === "session.checkpoint.saved" &&
        event.data.checkpoint.kind === kind &&
        event.data.checkpoint.turn === turn,
    );
  }

  /** How the last resume is said to have gone. */
  async grade(): Promise<string> {
    const { resume } = await this.world.insist((client) =>
      client.showSession(this.session),
    );
    return resume?.grade ?? "none";
  }

  async end(): Promise<void> {
    await this.#once("session_ended", () =>
      this.world.insist((client) => client.endSession(this.session)),
    );
    await this.watcher.until(({ type }) => type === "session.ended");
  }

  /** Compares what is there with what had been acknowledged and seen. */
  async check(): Promise<void> {
    for (const { id, text } of this.#acknowledged) {
      assert.equal(await this.#queue(text, "http"), id, "the same prompt");
      const { state } = await this.world.insist((client) =>
        client.showPrompt(this.session, id),
      );
      assert.equal(state, "done", text.slice(0, 100));
    }
    assert.deepEqual(
      await this.world.executed(),
      this.#acknowledged.map(({ text }) => text),
      "[P1] every acknowledged prompt was executed, once, in order",
    );
    // Taken before the journal is read: what is captured meanwhile comes to both, but later to this reading.
    const seen = [...this.watcher.seen];
    const journal = await this.journal();
    assert.deepEqual(
      journal.map(({ seq }) => seq),
      journal.map((_, index) => index + 1),
      "[P2] no gap",
    );
    assert.deepEqual(seen, journal.slice(0, seen.length), "[P2] as it was");
    const session = await this.world.insist((client) =>
      client.showSession(this.session),
    );
    assert.deepEqual(session.pending_permissions, [], "[P5] nothing is asked");
    assert.deepEqual(session.queued_prompts, []);
  }

  /** How often the agent could not be started. */
  get errors(): number {
    return this.watcher.seen.filter(isError).length;
  }

  async journal(): Promise<Event[]> {
    const events: Event[] = [];
    for (;;) {
      const page = await this.world.insist((client) =>
        client.listEvents(this.session, { after: events.length, limit: 1000 }),
      );
      events.push(...page.events);
      if (page.events.length === 0 || page.next === null) return events;
    }
  }

  /** What has no key may have been done by a request whose answer was lost: then it is refused as done. */
  async #once(done: ProblemCode, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RepriseError) || error.code !== done) throw error;
    }
  }
}

const isError = (event: Event): boolean =>
  event.type === "session.state_changed" && event.data.to === "ERROR";
