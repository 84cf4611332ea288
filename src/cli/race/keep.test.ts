import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { connect } from "../../client/client.ts";
import { AgreementRequest } from "../../contract/api/agreement-route.ts";
import { SessionId } from "../../contract/base/id.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { CTRL_C } from "../terminal/world.ts";
import { keep } from "./keep.ts";
import type { Outcome } from "./outcome.ts";

const run = (number: number): Outcome => ({
  number,
  agent: "demo",
  session_id: SessionId.parse(SESSION.replace(/.$/, String(number))),
  prompt_id: null,
  cwd: `/work/${number}`,
  status: "completed",
  text: "",
  error: null,
  files: [],
  lines: null,
  took_ms: 1,
  tokens: null,
  check: null,
  passed: true,
});

/** Answers the question with these lines, one after the other. */
const asked = async (
  t: TestContext,
  lines: readonly (string | typeof CTRL_C | null)[],
  runs = [run(1), run(2)],
  agreements: Readonly<Record<string, string | null>> = {},
) => {
  const server = await fakeServer(t, {
    showSession: () => sampleSession(),
    deleteSession: () => sampleSession(),
    showAgreement: ({ params }) => ({
      name: params["name"],
      value: agreements[params["name"] ?? ""] ?? null,
    }),
    agree: ({ params, body }) => ({
      name: params["name"],
      ...AgreementRequest.parse(body),
    }),
  });
  const left = [...lines];
  const { world, out, err } = memoryWorld();
  const client = connect({ url: server.url, token: "secret" });
  const kept = await keep(
    {
      ...world,
      json: false,
      client: () => Promise.resolve(client),
      ask: () => Promise.resolve(left.shift() ?? null),
    },
    client,
    { name: "r", prompt: "", agents: ["demo", "demo"], from: worktree },
    runs,
    undefined,
  );
  const deleted = server.asked
    .filter(({ name }) => name === "deleteSession")
    .map(({ params }) => params["id"]?.at(-1));
  return { kept, deleted, out: out(), err: err() };
};
const worktree = { kind: "worktree", repository: "/work" } as const;

test("[RAC-8] on a terminal it is asked until a run is meant", async (t) => {
  const { kept, deleted, out } = await asked(t, ["9", "both", " 2 "]);
  assert.equal(kept, 2);
  assert.deepEqual(deleted, ["1"]);
  assert.match(out, /Kept 2; 1 session went to the trash.*\n.*\/work\/2/);
});

for (const line of ["", null])
  test(`[RAC-8] ${line === null ? "nobody there" : "an empty answer"} keeps all`, async (t) => {
    const { kept, deleted, out } = await asked(t, [line]);
    assert.deepEqual(
      { kept, deleted, out },
      { kept: null, deleted: [], out: "" },
    );
  });

for (const [carriedOut, words] of [
  [null, /^Keeping run 2 was cut off.*\n$/],
  ["yes", /^$/],
] as const)
  test(`[RAC-30] a keep that was ${carriedOut === null ? "cut off is told" : "carried out is not told"} as cut off`, async (t) => {
    const agreed = { "race-kept.r": "2", "race-trashed.r": carriedOut };
    const { kept, deleted, err } = await asked(t, [], undefined, agreed);
    assert.equal(kept, 2);
    assert.match(err, words);
    assert.deepEqual(deleted, carriedOut === null ? ["1"] : []);
  });

test("[RAC-11] a run that was not started is not kept, and nothing goes to the trash", async (t) => {
  const runs = [run(1), { ...run(2), session_id: null }];
  await assert.rejects(asked(t, ["2"], runs), /Run 2 was not started/);
});

test("[RAC-13] Ctrl-C at the question decides nothing: nothing goes to the trash", async (t) => {
  const { kept, deleted, out } = await asked(t, [CTRL_C]);
  assert.equal(kept, CTRL_C);
  assert.deepEqual(deleted, []);
  assert.equal(out, "");
});
