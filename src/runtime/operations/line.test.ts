import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId } from "../../contract/base/id.ts";
import type { TurnMark } from "../../contract/session/line.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { placeKey } from "../../contract/base/place.ts";
import { lineOf } from "../../session/line/marks.ts";
import { SESSION, Story } from "../../session/testing.ts";
import { viewOf } from "../../session/view/view.ts";
import { storeWith } from "../fixtures/story-store.ts";
import type { Store } from "../ports/store.ts";
import { lineOperations } from "./line.ts";

const talk = (turns: number): Story => {
  const story = new Story().up();
  for (let n = 1; n <= turns; n += 1)
    story.queue(n).deliver(n).say("a").say("b").endTurn(n);
  return story;
};

/** So much is said in one turn that the line is saved. */
const longTalk = (): Story => {
  const story = new Story().up().queue(1).deliver(1);
  const { from } = story.words(1);
  const items = Array.from({ length: 600 }, (_, n) => ({
    kind: "text" as const,
    role: "agent" as const,
    text: "a",
    range: { from: from + n, to: from + n + 1 },
  }));
  return story.report(...items).endTurn(1);
};

const opened = (store: Store) =>
  lineOperations({ store, term: 1, log: { warn() {} } });

test("[SES-178] a long journal is read once: the next look reads what came since", async () => {
  const story = longTalk();
  const { store, read, last } = await storeWith(story);
  const { showLine } = opened(store);
  const [first, beside] = await Promise.all([
    showLine(SESSION),
    showLine(SESSION),
  ]);
  assert.equal(first.seq, last);
  assert.deepEqual(first.marks, lineOf(story.events));
  assert.deepEqual(beside, first);
  assert.equal(read.length, last, "two who look at once read it once");
  assert.deepEqual(await opened(store).showLine(SESSION), first);
  assert.equal(read.length, last, "so does another server");
});

test("[SES-178] a line that cannot be saved, or of a short session, is folded again", async () => {
  const short = await storeWith(talk(2));
  const look = opened(short.store);
  assert.deepEqual(await look.showLine(SESSION), await look.showLine(SESSION));
  assert.equal(short.read.length, 2 * short.last);
  const { store } = await storeWith(longTalk());
  const saveLine = (): Promise<void> =>
    Promise.reject(new RepriseError("storage_full", "no room"));
  const { showLine } = opened({ ...store, saveLine });
  assert.equal((await showLine(SESSION)).marks.length, 2);
});

test("[SES-178] of a damaged journal the line goes up to the damage", async () => {
  const story = talk(3);
  const { store, last } = await storeWith(story);
  const events: Store["events"] = async (id, after, limit) => {
    const sound = await store.events(id, after, limit);
    if (after >= last - 8)
      throw new RepriseError("session_damaged", "damaged", {
        damaged_from: last - 7,
      });
    return sound.filter(({ seq }) => seq <= last - 8);
  };
  const { marks, seq } = await opened({ ...store, events }).showLine(SESSION);
  assert.equal(seq, last - 8);
  assert.deepEqual(marks, lineOf(story.events.slice(0, last - 8)));
});

test("[SES-177] forks are told at the turns that they were made from", async () => {
  const story = talk(3);
  const { store } = await storeWith(story);
  const fork = async (n: number, turn: number, deleted: boolean) => {
    const id = SessionId.parse(`ses_${String(n).padStart(26, "0")}`);
    const parent = { session_id: SESSION, turn };
    const { events, state } = new Story({ session_id: id, parent });
    const deleted_at = deleted ? state.created.at : null;
    await store.append({
      place: { key: placeKey(state.workspace.place), term: 1 },
      session_id: id,
      after: 0,
      events,
      view: { ...viewOf(state), deleted_at },
      executor: null,
      attention: null,
      prompts: [],
      permissions: [],
      news: false,
      snapshot: null,
      receipt: null,
      env: null,
    });
    return id;
  };
  const [two, again] = [await fork(7, 2, false), await fork(8, 2, false)];
  await fork(9, 3, true);
  const { marks } = await opened(store).showLine(SESSION);
  const forks = marks
    .filter((mark): mark is TurnMark => mark.kind === "turn")
    .map((mark) => mark.forks);
  assert.deepEqual(forks, [[], [again, two], []]);
});

test("[SES-178] there is no line of a session that is not there", async () => {
  const { store } = await storeWith(talk(1));
  const unknown = SessionId.parse(`ses_${"9".padStart(26, "0")}`);
  await assert.rejects(opened(store).showLine(unknown), {
    code: "session_not_found",
  });
});
