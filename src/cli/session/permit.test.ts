import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { PERMISSION, SESSION, sampleSession } from "../fixtures/sample.ts";

const OTHER = permissionId(1, 4096);

/** An agent that calls things by misleading names. */
const asked = (id = PERMISSION, title = "Write notes.txt"): Permission => ({
  id,
  turn: 1,
  title,
  tool_kind: "edit",
  tool: {
    id: "t1",
    kind: "execute",
    title,
    command: `rm ${id}`,
    paths: [],
    diff: null,
    input: null,
  },
  state: "pending",
  options: [
    { id: "no", name: "Go ahead", kind: "allow_once" },
    { id: "x2", name: "Do not ask again", kind: "allow_always" },
    { id: "yes", name: "Stop", kind: "reject_once" },
    { id: "x4", name: "Something else", kind: "other" },
  ],
});

const permit = async (
  t: TestContext,
  pending: readonly Permission[],
  ...args: string[]
) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession({ pending_permissions: [...pending] }),
    answerPermission: ({ params }) => {
      const found = pending.find(({ id }) => id === params["request_id"]);
      if (found === undefined) throw refusal("permission_closed");
      return { ...found, state: "answered" };
    },
  });
  const argv = ["session", "permit", SESSION, ...args];
  const ended = await runCli(t, argv, { url: server.url });
  const answered = server.asked.find(({ name }) => name === "answerPermission");
  return { ...ended, answered };
};

for (const [word, option] of [
  ["yes", "no"],
  ["always", "x2"],
  ["no", "yes"],
  ["x4", "x4"],
])
  test(`[API-126] "${word}" answers by the option's kind, whatever the agent calls it`, async (t) => {
    for (const request of [[], [PERMISSION]]) {
      const { code, answered } = await permit(
        t,
        [asked()],
        ...request,
        word ?? "",
      );
      assert.equal(code, 0);
      assert.equal(answered?.params["request_id"], PERMISSION);
      assert.deepEqual(answered.body, { option_id: option });
    }
  });

test("[API-126] it says by the agent's name what was chosen", async (t) => {
  const { stdout } = await permit(t, [asked()], "yes");
  assert.equal(stdout, `${PERMISSION} (Write notes.txt): Go ahead.\n`);
});

test("[API-126] a word for which there is no option answers nothing and lists the options", async (t) => {
  const { code, stderr, answered } = await permit(t, [asked()], "never");
  assert.equal(code, 2);
  assert.equal(answered, undefined);
  assert.match(
    stderr,
    /yes \(Go ahead\), always \(Do not ask again\), no \(Stop\), x4 \(Something else\)/,
  );
});

test("[API-126] where several wait, all are listed with what they would allow, and none is answered", async (t) => {
  const pending = [asked(), asked(OTHER, "Push")];
  const { code, stderr, answered } = await permit(t, pending, "yes");
  assert.equal(code, 2);
  assert.equal(answered, undefined);
  for (const id of [PERMISSION, OTHER]) {
    assert.ok(stderr.includes(`runs  rm ${id}`), stderr);
    assert.ok(stderr.includes(`session permit ${SESSION} ${id} yes`), stderr);
  }
});

test("[API-126] with nothing to answer, and without an answer, it says so", async (t) => {
  const none = await permit(t, [], "yes");
  assert.equal(none.code, 3);
  assert.match(none.stderr, /Nothing waits for an answer/);
  const missing = await permit(t, [asked()], PERMISSION);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /The answer to per_1_2048 is missing/);
});

test("[API-126] [P5] a request that waits no more is the server's to refuse", async (t) => {
  const { code } = await permit(t, [], PERMISSION, "yes");
  assert.equal(code, 4);
});
