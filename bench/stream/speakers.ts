/** Sessions whose agents speak all the time. */
import { join } from "node:path";
import { TestHouse, type Server } from "../../test/e2e/house.ts";
import type { Span } from "../clock.ts";
import { type Manner, words } from "../light-agent.ts";
import type { Voice } from "./choir.ts";
import { LagMeter } from "./lag.ts";
import { subscribe } from "./subscriber.ts";

export const AGENT = "chunks";
export const program = join(import.meta.dirname, "chunk-agent.ts");

export const speakingHouse = (): Promise<TestHouse> =>
  TestHouse.make({
    agents: { [AGENT]: { command: [process.execPath, program] } },
    start_seconds: 300,
    checkpoint_seconds: 120,
  });

/** So many sessions with an agent that waits for a prompt. */
export const speakers = async (
  server: Server,
  house: TestHouse,
  count: number,
): Promise<string[]> => {
  const ids: string[] = [];
  // A few at a time: a hundred programs that start at once only wait for each other.
  for (let n = 0; n < count; n += 10)
    ids.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(10, count - n) }, () =>
          speaker(server, house),
        ),
      )),
    );
  return ids;
};

const speaker = async (server: Server, house: TestHouse): Promise<string> => {
  const id = await openSpeaker(server, house.workspace);
  await server.client.resumeSession(id);
  return id;
};

/** A session whose agent comes up by and by. */
export const openSpeaker = async (
  { client }: Server,
  cwd: string,
): Promise<string> => (await client.createSession({ agent: AGENT, cwd })).id;

/** How long a turn takes in that manner. */
export const turnMs = ({ every_ms, chunks }: Manner): number =>
  every_ms * chunks;

/** Has them all speak, at once, and resolves with the way of every chunk, when each subscriber has had each of them once. */
export const waysOf = async (
  server: Server,
  sessions: readonly string[],
  manner: Manner,
  subscribersEach = 1,
): Promise<Span[]> => {
  const { client } = server;
  const following = sessions.flatMap((id) =>
    Array.from({ length: subscribersEach }, async () => {
      const { last_seq } = await client.showSession(id);
      const meter = new LagMeter(manner.chunks);
      const close = await subscribe(server, id, last_seq, meter.take);
      return { meter, close };
    }),
  );
  const subscribers = await Promise.all(following);
  const text = words(manner);
  for (const id of sessions) await client.queuePrompt(id, { text });
  await Promise.all(subscribers.map(({ meter }) => meter.complete));
  for (const { close } of subscribers) close();
  return subscribers.flatMap(({ meter }) => meter.ways());
};

/** Each with so many turns to speak, one after the other, and a subscriber. */
export const voicesOf = (
  server: Server,
  sessions: readonly string[],
  manner: Manner,
  turns: number,
): Promise<Voice[]> => {
  const { client } = server;
  const text = words(manner);
  return Promise.all(
    sessions.map(async (id) => {
      const { last_seq } = await client.showSession(id);
      const meter = new LagMeter(turns * manner.chunks);
      const leave = await subscribe(server, id, last_seq, meter.take);
      const begin = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1)
          await client.queuePrompt(id, { text });
      };
      return { meter, begin, leave };
    }),
  );
};
