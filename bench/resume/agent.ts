/** Sessions with the demo agent: how long it takes until the agent is there again. */
import assert from "node:assert/strict";
import type { Client } from "../../src/client/client.ts";
import { say, seenUntil, TestHouse } from "../../test/e2e/house.ts";
import { lengths, timed, type Span } from "../clock.ts";
import { figure, type Row } from "../figure.ts";
import { Pulse, spared } from "../pulse/pulse.ts";
import { ownStart } from "./own-start.ts";

/** In some of them the machine is away. */
const ROUNDS = 15;
/** Per round: the first ones of a connection are slower for all. */
const REQUESTS = 50;
const SESSIONS = 8;
const SECRET = "marmalade";

export const agentRows = async (): Promise<Row[]> => {
  await using house = await TestHouse.make();
  await using pulse = new Pulse();
  const times: Times = {
    roundTrip: [],
    running: [],
    reattach: [],
    slowest: [],
    fast: [],
    ownStart: [],
  };
  const first = await house.up();
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => begin(first.client, house)),
  );
  const [id = ""] = sessions;
  let known = await lastSeqs(first.client, sessions);
  await first.kill();

  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await house.up();
    const { client } = server;
    const took = await Promise.all(
      known.map(([session, after]) => reattached(client, session, after)),
    );
    times.reattach.push(...took);
    times.slowest.push(Math.max(...took));
    for (let i = 0; i < REQUESTS; i += 1) {
      times.roundTrip.push(await timed(() => client.health()));
      times.running.push(await timed(() => client.resumeSession(id)));
    }

    const { metadata } = await client.pauseSession(id);
    times.ownStart.push(
      await ownStart(house, metadata.resume_token ?? "", house.workspace),
    );
    times.fast.push(await timed(() => client.resumeSession(id)));
    await checkMemory(client, id);
    known = await lastSeqs(client, sessions);
    await server.kill();
  }
  return rowsOf(times, await pulse.absences());
};

/** A session whose agent has something to remember. */
const begin = async (client: Client, house: TestHouse): Promise<string> => {
  const cwd = house.workspace;
  const { id } = await client.createSession({ agent: "demo", cwd });
  await say(client, id, `remember pass=${SECRET}`);
  return id;
};

const lastSeqs = (
  client: Client,
  sessions: readonly string[],
): Promise<[string, number][]> =>
  Promise.all(
    sessions.map(async (id) => [id, (await client.showSession(id)).last_seq]),
  );

interface Times extends Record<
  "roundTrip" | "running" | "fast" | "ownStart",
  Span[]
> {
  /** By the server's own clock. */
  reattach: number[];
  slowest: number[];
}

const rowsOf = (times: Times, absences: readonly Span[]): Row[] => {
  const unit = "ms";
  const clean = (spans: readonly Span[]) => lengths(spared(spans, absences));
  const roundTrip = clean(times.roundTrip);
  return [
    figure(
      {
        what: "resume of an agent that runs; peer: one HTTP round trip",
        unit,
        ours: clean(times.running),
        peer: roundTrip,
      },
      { within: 1.7 },
    ),
    figure(
      {
        what: `reattach after a restart of the server, each of ${SESSIONS} sessions; peer: one HTTP round trip`,
        unit,
        ours: times.reattach,
        peer: roundTrip,
      },
      { within: 1.7 },
    ),
    figure(
      {
        what: "the slowest of the 8 after each restart; peer: one HTTP round trip",
        unit,
        ours: times.slowest,
        peer: roundTrip,
      },
      { within: 1.7 },
    ),
    figure(
      {
        what: "fast path, over HTTP; peer: the agent's own start and session/resume over pipes",
        unit,
        ours: clean(times.fast),
        peer: clean(times.ownStart),
      },
      { within: 10 },
    ),
  ];
};

/** What the server that just started took to hear the agent again, by its own clock. */
const reattached = async (
  client: Client,
  session: string,
  after: number,
): Promise<number> => {
  const seen = await seenUntil(
    client,
    session,
    ({ type }) => type === "session.resumed",
    after,
  );
  const last = seen.at(-1);
  assert.ok(last?.type === "session.resumed");
  assert.equal(last.data.resume.grade, "reattached");
  return last.data.resume.took_ms;
};

/** That it came back with its own memory, and not merely that something came back. */
const checkMemory = async (client: Client, session: string): Promise<void> => {
  const { resume } = await client.showSession(session);
  assert.equal(resume?.grade, "native");
  assert.equal(resume.path, "fast");
  assert.match(await say(client, session, "recall pass"), new RegExp(SECRET));
};
