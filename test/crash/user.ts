import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointKind } from "../../src/contract/session/checkpoint.ts";
import type { Event } from "../../src/contract/event/event.ts";
import {
  RepriseError,
  type ProblemCode,
} from "../../src/contract/problem/problem.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { promptOverSocket } from "../chaos/user/socket-prompt.ts";
import { spoken } from "../e2e/house.ts";
import { Watcher } from "./watcher.ts";
import type { World } from "./world.ts";

interface Acknowledged {
  id: string;
  key: string;
  text: string;
}

let sessions = 0;

/** Somebody who works with one session and remembers everything that was acknowledged. */
export class User {
  readonly session: string;
  readonly world: World;
  readonly watcher: Watcher;
  /** What agents began to execute for this session. */
  readonly #ledger: string;
  readonly #acknowledged: Acknowledged[] = [];
  /** So many of them were checked, and so many events compared. */
  #checked = 0;
  #compared = 0;
  /** The last time the session was in ERROR. */
  #excused = 0;
  #changes = 0;

  private constructor(world: World, session: string, ledger: string) {
    this.world = world;
    this.session = session;
    this.watcher = new Watcher(world, session);
    this.#ledger = ledger;
  }

  static async create(
    world: World,
    request: CreateSessionInput = {},
  ): Promise<User> {
    sessions += 1;
    const key = `create-${sessions}`;
    const ledger = join(world.house.directory, `${key}.ledger`);
    const body = {
      cwd: world.house.workspace,
      env: { DEMO_LEDGER: ledger },
      ...request,
    };
    const create = () =>
      world.insist((client) => client.createSession(body, { key }));
    const { id } = await create();
    assert.equal((await create()).id, id, "the first answer again");
    return new User(world, id, ledger);
  }

  /** Gives a prompt; resolves with the agent's words when its turn has ended. */
  async say(text: string, over: "http" | "socket" = "http"): Promise<string> {
    const { turn, seq } = await this.#endOf(await this.queue(text, over));
    const started = this.watcher.seen.find(
      (event) =>
        event.type === "session.turn.started" && event.data.turn === turn,
    );
    return spoken(this.watcher.seen.slice(started?.seq, seq));
  }

  /** Resolves with the outcome of a prompt's turn when it has ended. */
  async ended(prompt: string): Promise<string> {
    return (await this.#endOf(prompt)).outcome;
  }

  async #endOf(prompt: string) {
    const event = await this.#until(
      (each) =>
        each.type === "session.turn.ended" && each.data.prompt_id === prompt,
    );
    assert.ok(event.type === "session.turn.ended");
    return { ...event.data, seq: event.seq };
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
    const key = `prompt-${this.#acknowledged.length + 1}`;
    const id = await this.#queue(text, key, over);
    this.#acknowledged.push({ id, key, text });
    return id;
  }

  async #queue(
    text: string,
    key: string,
    over: "http" | "socket",
  ): Promise<string> {
    const { id } = await this.world.insist((client, server) =>
      over === "http"
        ? client.queuePrompt(this.session, { text }, { key })
        : promptOverSocket(server, this.session, text, key, server.gone),
    );
    return id;
  }

  /** Allows what the agent asks for after this event. */
  async permit(after = 0): Promise<void> {
    const event = await this.watcher.until(
      ({ type }) => type === "session.permission.requested",
      after,
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

  /** Resolves with the mode that is in force then. */
  async change(changes: { mode: string }): Promise<string | undefined> {
    this.#changes += 1;
    const key = `change-${this.#changes}`;
    await this.world.insist((client) =>
      client.changeSession(this.session, changes, { key }),
    );
    return this.mode();
  }

  async refusedChange(changes: { mode: string }): Promise<void> {
    await assert.rejects(this.change(changes), {
      code: "restriction_not_held",
    });
  }

  async mode(): Promise<string | undefined> {
    const { applied, definition } = await this.world.insist((client) =>
      client.showSession(this.session),
    );
    assert.equal(definition.mode, applied?.mode?.value);
    return definition.mode;
  }

  async cancel(): Promise<void> {
    await this.world.insist((client) => client.cancelTurn(this.session));
  }

  async pause(): Promise<void> {
    const after = this.watcher.seen.length;
    await this.world.insist((client) => client.pauseSession(this.session));
    await this.watcher.until(
      (event) =>
        event.type === "session.state_changed" && event.data.to === "PAUSED",
      after,
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

  /** Waits for a checkpoint of this kind after an event. */
  async captured(kind: CheckpointKind, after: number): Promise<void> {
    await this.watcher.until(
      (event) =>
        event.type === "session.checkpoint.saved" &&
        event.data.checkpoint.kind === kind,
      after,
    );
  }

  /** Nothing is due any more: a pause then has a checkpoint of its own. */
  async turnIsCaptured(): Promise<void> {
    const ended = this.watcher.seen.findLast(
      ({ type }) => type === "session.turn.ended",
    );
    await this.captured("turn", ended?.seq ?? 0);
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

  /** Compares what is there with what had been acknowledged and seen, since the last time or `all` of it. */
  async check(all = false): Promise<void> {
    if (all) this.#checked = this.#compared = 0;
    for (const { id, key, text } of this.#acknowledged.slice(this.#checked)) {
      assert.equal(await this.#queue(text, key, "http"), id, "the same prompt");
      const { state } = await this.world.insist((client) =>
        client.showPrompt(this.session, id),
      );
      assert.equal(state, "done", text.slice(0, 100));
    }
    this.#checked = this.#acknowledged.length;
    assert.deepEqual(
      await this.#executed(),
      this.#acknowledged.map(({ text }) => text),
      "[P1] every acknowledged prompt was executed, once, in order",
    );
    // Taken before the journal is read: what is captured meanwhile comes to both, but later to this reading.
    const from = this.#compared;
    const seen = this.watcher.seen.slice(from);
    const journal = await this.journal(from);
    assert.deepEqual(
      journal.map(({ seq }) => seq),
      journal.map((_, index) => from + index + 1),
      "[P2] no gap",
    );
    assert.deepEqual(seen, journal.slice(0, seen.length), "[P2] as it was");
    this.#compared = from + seen.length;
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

  /** What the agents began to execute, in order. */
  async #executed(): Promise<string[]> {
    const text = await readFile(this.#ledger, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const prompt: unknown = JSON.parse(line.split(" ").slice(2).join(" "));
        assert.ok(typeof prompt === "string");
        return prompt;
      });
  }

  /** All events after this one. */
  async journal(from = 0): Promise<Event[]> {
    const events: Event[] = [];
    for (;;) {
      const after = from + events.length;
      const page = await this.world.insist((client) =>
        client.listEvents(this.session, { after, limit: 1000 }),
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
