import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId } from "../contract/base/id.ts";
import { sessionSample } from "../contract/fixtures/whole-session.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Race } from "../contract/api/race-route.ts";
import { isCarriedOut, keepRun, keptRun } from "./race.ts";

const sessionOf = (number: number) =>
  SessionId.parse(`ses_${String(number).padStart(26, "0")}`);

const race = (missing: readonly number[] = []): Race => ({
  name: "faster",
  shape: {
    prompt: "",
    agents: ["demo", "demo", "demo"],
    repository: "/work",
    session: null,
    permissions: null,
  },
  runs: [1, 2, 3].map((number) => ({
    number,
    agent: "demo",
    session_id: missing.includes(number) ? null : sessionOf(number),
  })),
  kept: null,
  carried_out: false,
});

/** A server with three sessions. `trash` are deleted, `purged` removed for good, `stuck` cannot be deleted. */
const server = (
  given: {
    trash?: readonly number[];
    purged?: readonly number[];
    stuck?: readonly number[];
  } = {},
) => {
  const agreements = new Map<string, string>();
  const inTrash = new Set((given.trash ?? []).map(sessionOf));
  const stuck = new Set((given.stuck ?? []).map(sessionOf));
  const deleted: string[] = [];
  const show = (id: string) => {
    const session = SessionId.parse(id);
    if ((given.purged ?? []).map(sessionOf).includes(session))
      throw new RepriseError("session_not_found", `There is no ${id}.`);
    const deleted_at = inTrash.has(session) ? "2026-01-01T00:00:00.000Z" : null;
    return sessionSample(session, { deleted_at });
  };
  const client = {
    call: async (name: string, { params, body }: AgreementCall) => {
      if (name === "agree" && !agreements.has(params.name))
        agreements.set(params.name, body?.value ?? "");
      return {
        name: params.name,
        value: agreements.get(params.name) ?? null,
      };
    },
    showSession: async (id: string) => show(id),
    deleteSession: async (id: string) => {
      if (stuck.has(SessionId.parse(id)))
        throw new RepriseError("timed_out", "It took too long.");
      deleted.push(id);
      inTrash.add(SessionId.parse(id));
      return show(id);
    },
  };
  return {
    client: client as unknown as Parameters<typeof keepRun>[0],
    deleted,
    stuck,
  };
};

interface AgreementCall {
  params: { name: string };
  body?: { value: string };
}

test("[RAC-8] [RAC-11] the others go to the trash once it is decided which run is kept", async () => {
  const { client, deleted } = server();
  await keepRun(client, race(), 2);
  assert.deepEqual(deleted, [sessionOf(1), sessionOf(3)]);
  assert.equal(await keptRun(client, "faster"), 2);
  assert.equal(await isCarriedOut(client, "faster"), true);
});

test("[RAC-11] whoever keeps another run than was decided is refused, and nothing goes to the trash", async () => {
  const { client, deleted } = server();
  await keepRun(client, race(), 1);
  deleted.length = 0;
  await assert.rejects(
    keepRun(client, race(), 1).then(() => keepRun(client, race(), 3)),
    {
      code: "wrong_state",
    },
  );
  const other = server();
  await other.client.call("agree", {
    params: { name: "race-kept.faster" },
    body: { value: "3" },
  });
  await assert.rejects(keepRun(other.client, race(), 1), (error) => {
    assert.ok(error instanceof RepriseError && error.code === "wrong_state");
    assert.match(error.message, /Run 3 .* was kept before/);
    return true;
  });
  assert.deepEqual(other.deleted, []);
  assert.deepEqual(deleted, []);
});

for (const [why, given, missing] of [
  ["was not started", {}, [2]],
  ["is in the trash", { trash: [2] }, []],
  ["was removed for good", { purged: [2] }, []],
] as const)
  test(`[RAC-11] [RAC-22] a run that ${why} cannot be kept, and nothing is decided`, async () => {
    const { client, deleted } = server(given);
    await assert.rejects(keepRun(client, race(missing), 2), {
      code: "wrong_state",
    });
    assert.deepEqual(deleted, []);
    assert.equal(await keptRun(client, "faster"), null);
    await keepRun(client, race(missing), 1);
    assert.deepEqual(deleted, [sessionOf(3)]);
  });

test("[RAC-21] what was cut off is carried out by whoever keeps the same run again", async () => {
  const { client, deleted, stuck } = server({ stuck: [3], trash: [1] });
  await assert.rejects(keepRun(client, race(), 2), { code: "timed_out" });
  assert.deepEqual(deleted, [], "the first is in the trash already");
  assert.equal(await keptRun(client, "faster"), 2);
  assert.equal(await isCarriedOut(client, "faster"), false);
  stuck.clear();
  await keepRun(client, race(), 2);
  assert.deepEqual(deleted, [sessionOf(3)]);
  assert.equal(await isCarriedOut(client, "faster"), true);
});
