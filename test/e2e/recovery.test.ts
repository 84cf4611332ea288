/** Recovery by mode, by policy and by request. */
import assert from "node:assert/strict";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionStatus } from "../../src/contract/session/session.ts";
import { counting, killAgents, killEverything } from "./counting.ts";
import { commandRuns, say, seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

const test = sharedHouse();

/** agentctl was killed too: it takes a moment until the new one can tell. */
const isKnown = ({ troubles }: SessionStatus): boolean =>
  !troubles.some(({ code }) => code === "agentctl_unavailable");

test("[REC-8] with on_interrupt: continue, an interrupted turn goes on by a short prompt, a few times", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    on_interrupt: "continue",
    prompt: `remember pass=mellon\nrun ${house.latch().wait}`,
  });
  await seenUntil(client, session.id, commandRuns);
  await killAgents(client, session.id);
  const seen = await seenUntil(client, session.id, turnEnded(2));
  const said = seen.flatMap((event) =>
    event.type === "session.message.added" && event.data.message.role === "user"
      ? [event.data.message.text]
      : [],
  );
  assert.equal(said.length, 2);
  assert.match(said[1] ?? "", /interrupted/);
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
});

test("[REC-4] lazy: what died waits until someone asks; off: nothing is touched until it is recovered", async (scene) => {
  const { house, server: first } = scene;
  const { id } = await counting(house, first.client);
  await killEverything(house, first);

  const off = await scene.up("--recovery", "off");
  const stuck = await eventually(() => off.client.sessionStatus(id), isKnown);
  assert.deepEqual(
    [stuck.state, stuck.is_agent_running, stuck.troubles[0]?.code],
    ["RUNNING", false, "agent_gone"],
  );
  await off.stop();

  const lazy = await scene.up("--recovery", "lazy");
  await seenUntil(
    lazy.client,
    id,
    ({ type }) => type === "session.execution.ended",
  );
  const status = await lazy.client.sessionStatus(id);
  assert.deepEqual(
    [status.is_agent_running, status.needs_resume, status.resume_reason],
    [false, true, "agent_not_running"],
  );
  assert.equal(
    (await say(lazy.client, id, "recall pass")).trim(),
    "pass=mellon",
  );
});

test("[REC-13] [REC-14] [P10] a session that is stuck is shown as such and recovered by request", async (scene) => {
  const { house, server: first } = scene;
  const { id } = await counting(house, first.client);
  await killEverything(house, first);
  const { client } = await scene.up("--recovery", "off");
  const stuck = await eventually(() => client.sessionStatus(id), isKnown);
  assert.equal(stuck.troubles[0]?.code, "agent_gone");
  const recovered = await client.recoverSession(id);
  await seenUntil(client, id, ({ type }) => type === "session.execution.ended");
  assert.ok(recovered !== null);
  const status = await client.sessionStatus(id);
  assert.deepEqual(
    [status.state, status.troubles.length, status.is_resumable],
    ["WAITING_FOR_INPUT", 0, true],
  );
  assert.equal((await say(client, id, "recall pass")).trim(), "pass=mellon");
});

test("[REC-106] a server that is started again and again records an agent's session file once for each turn", async (scene) => {
  const { house } = scene;
  const { id } = await scene.client.createSession({ cwd: house.workspace });
  const isMark = ({ type }: Event): boolean =>
    type === "session.transcript.recorded";
  for (const words of ["remember a=b", "recall a"]) {
    const { last_seq } = await scene.client.showSession(id);
    await say(scene.client, id, words);
    await seenUntil(scene.client, id, isMark, last_seq);
  }
  let { server } = scene;
  for (let restarts = 0; restarts < 2; restarts++) {
    const { last_seq } = await server.client.showSession(id);
    await server.stop();
    server = await scene.up();
    await seenUntil(
      server.client,
      id,
      ({ type }) => type === "session.resumed",
      last_seq,
    );
  }
  // What agentctl told at the reattach comes before this.
  await say(server.client, id, "hello");
  const marks = (await seenUntil(server.client, id, turnEnded(3))).filter(
    isMark,
  );
  assert.equal(marks.length, 2);
});
