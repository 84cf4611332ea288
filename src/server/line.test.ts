import assert from "node:assert/strict";
import { test } from "node:test";
import { LineAnswer } from "../contract/session/line.ts";
import { emptyLine } from "../contract/fixtures/empty-line.ts";
import { createFakeSite, problemIn } from "./fixtures/fake-site.ts";

test("[API-186] the line of a session comes with the event up to which it tells, and what goes on from there", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const answer = await ask(`/api/sessions/${id}/line`);
  assert.equal(answer.status, 200);
  assert.deepEqual(LineAnswer.parse(await answer.json()), emptyLine);
});

test("[API-186] there is none of a session that is not there", async () => {
  const { ask } = createFakeSite();
  const answer = await ask(`/api/sessions/ses_${"0".repeat(26)}/line`);
  assert.equal((await problemIn(answer)).code, "session_not_found");
});

test("[API-187] forks are asked for by the id of their parent", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const listed = await ask(`/api/sessions?parent=${id}`);
  assert.deepEqual(await listed.json(), { sessions: [], next: null });
  const wrong = await ask("/api/sessions?parent=nonsense");
  assert.equal((await problemIn(wrong)).code, "invalid_request");
});
