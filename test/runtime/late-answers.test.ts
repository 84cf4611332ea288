/** Answers that come again, long after the request was answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { type PermissionId, permissionId } from "../../src/contract/base/id.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { askItem } from "../../src/session/testing.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, turnEnded, until } from "./house.ts";

const MANY = 120;
const AT_ONCE = 60;

const isAsked = (id: PermissionId) => (event: Event) =>
  event.type === "session.permission.requested" &&
  event.data.permission.id === id;

const delivered = (times: number) => {
  let seen = 0;
  return (event: Event) => {
    if (event.type === "session.permission.delivered") seen += 1;
    return seen === times;
  };
};

test("[SES-40] [SES-16] the same answer again is no error, however many came since, also after a restart", async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const first = await house(fakeExecutors(place), { store });
  const ids: PermissionId[] = [];
  let turns = 0;
  place.onPrompt = (order, agent) => {
    turns += 1;
    for (let n = 1; n <= AT_ONCE; n += 1)
      agent.speak(2, (range) => {
        const id = permissionId(turns, n);
        ids.push(id);
        return askItem(id, range);
      });
    ends.push(() => agent.endTurn(order.prompt_id));
  };
  const ends: (() => void)[] = [];
  const { id: session } = await first.operations.createSession(
    request({ prompt: "ask" }),
  );
  for (let turn = 1; turn <= MANY / AT_ONCE; turn += 1) {
    await until(first, session, isAsked(permissionId(turn, AT_ONCE)));
    for (const id of ids.slice(-AT_ONCE))
      await first.operations.answerPermission(session, id, "yes");
    await until(first, session, delivered(turn * AT_ONCE));
    ends.at(-1)?.();
    await until(first, session, turnEnded(turn));
    if (turn * AT_ONCE < MANY)
      await first.operations.queuePrompt(session, { text: "ask again" });
  }
  assert.equal(ids.length, MANY);

  const expectAnswered = async ({ operations }: typeof first) => {
    for (const id of [ids[0]!, ids[70]!, ids.at(-1)!]) {
      const again = await operations.answerPermission(session, id, "yes");
      assert.deepEqual(
        [again.id, again.state, again.option_id],
        [id, "answered", "yes"],
      );
      await assert.rejects(operations.answerPermission(session, id, "no"), {
        code: "permission_closed",
      });
    }
    await assert.rejects(
      operations.answerPermission(session, permissionId(9, 9), "yes"),
      { code: "permission_not_found" },
    );
  };
  const answers = () => place.asked.filter((order) => order === "answer yes");
  assert.equal(answers().length, MANY);
  await expectAnswered(first);
  await first.close();
  const second = await house(fakeExecutors(place), { store });
  await expectAnswered(second);
  assert.equal(answers().length, MANY, "the agent is told once");
  await second.close();
});
