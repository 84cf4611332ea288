import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import { messageId } from "../contract/base/id.ts";
import { SESSION, Story } from "../session/testing.ts";
import { viewOf } from "../session/view/view.ts";
import { conversationIn, Desk } from "./fixtures/desk.ts";
import { turn } from "./fixtures/tell.ts";
import { RecordFold } from "./record-fold.ts";

test("more events at once than a call takes arguments", async () => {
  await using desk = await Desk.make();
  const session = new Long(desk);
  await session.say(200_000);
  assert.equal((await desk.messages()).at(-1)?.text.length, 200_000 * 5);
});

test("what a session costs does not grow with what is behind it: 50,000 events", async () => {
  await using desk = await Desk.make();
  const session = new Long(desk);
  await session.use(1000);
  const early = await session.cost(20);
  while (desk.journal.length < 50_000) await session.use(1000);
  const late = await session.cost(20);
  // The conversation is fifty times as long: whoever went through it each time would show here.
  assert.ok(late < early * 5 + 20, `${early} ms became ${late} ms`);
  assert.deepEqual(await desk.messages(), conversationIn(desk.journal));

  // Nor does waking up: the files go on from their mark.
  await session.endTurn();
  await desk.restart();
  await session.use(1);
  assert.equal(desk.reads, 0);
});

test("what was committed and not told is read from the journal, page by page", async () => {
  await using desk = await Desk.make();
  const session = new Long(desk);
  session.journalOnly(50_000);
  await session.use(1);
  assert.ok(desk.reads >= 50);
  assert.deepEqual(await desk.messages(), conversationIn(desk.journal));
});

test("only what can change is held in memory", () => {
  const fold = new RecordFold("/x", null);
  const story = new Story().up();
  for (const n of [1, 2, 3]) turn(story, n);
  for (const event of story.events) fold.write(event);
  assert.equal(fold.takeSettled().length, 11);
  assert.equal(fold.tail.messages.length, 1);
});

/** A session in one endless turn, told without the core, which would be the slow part. */
class Long {
  readonly #desk: Desk;
  readonly #view: Session;
  #seq: number;

  constructor(desk: Desk) {
    this.#desk = desk;
    const story = new Story().up().queue(1).deliver(1);
    desk.tell(story);
    this.#seq = story.state.seq;
    this.#view = viewOf(story.state);
  }

  /** Words of one message. */
  async say(count: number): Promise<void> {
    const first = this.#message("agent", "");
    const words = Array.from({ length: count }, () =>
      this.#event({
        type: "session.message.updated",
        data: { id: messageId(first.seq), append: "word " },
      }),
    );
    await this.#commit([first, ...words]);
  }

  /** Tool calls that are over. */
  use(count: number): Promise<void> {
    return this.#commit(Array.from({ length: count }, () => this.#tool()));
  }

  /** What it takes to show so many more: our own work, whatever else the machine does. */
  async cost(times: number): Promise<number> {
    const before = process.cpuUsage();
    for (let n = 0; n < times; n += 1) await this.use(1);
    return process.cpuUsage(before).user / 1000;
  }

  endTurn(): Promise<void> {
    const ended = this.#event({
      type: "session.turn.interrupted",
      data: { turn: 1, prompt_id: this.#promptId(), reason: "enough" },
    });
    return this.#commit([ended]);
  }

  /** Committed, and the recorder was not told. */
  journalOnly(count: number): void {
    for (let n = 0; n < count; n += 1) this.#desk.journal.push(this.#tool());
  }

  #promptId() {
    const started = this.#desk.journal.find(
      (event) => event.type === "session.turn.started",
    );
    assert.ok(started !== undefined);
    return started.data.prompt_id;
  }

  #tool(): Event {
    return this.#message("tool", "x".repeat(200));
  }

  #message(role: "agent" | "tool", text: string): Event {
    const tool =
      role === "tool"
        ? { tool: { id: `t${this.#seq}`, status: "completed" as const } }
        : {};
    const id = messageId(this.#seq + 1);
    const at = this.#view.created_at;
    return this.#event({
      type: "session.message.added",
      data: { message: { id, turn: 1, role, text, at, ...tool } },
    });
  }

  #event(event: Pick<Event, "type" | "data">): Event {
    this.#seq += 1;
    return {
      seq: this.#seq,
      at: this.#view.created_at,
      session_id: SESSION,
      task_id: null,
      ...event,
    } as Event;
  }

  async #commit(events: Event[]): Promise<void> {
    this.#desk.commit(events, { ...this.#view, last_seq: this.#seq });
    await this.#desk.recorder.drain();
  }
}
