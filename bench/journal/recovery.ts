/** How long it takes until a session of a given length is at hand again: from the store to the folded state. */
import type { SessionId } from "../../src/contract/base/id.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { figure, limit, type Row } from "../figure.ts";
import { engineOn, longSession } from "../busy-session.ts";

const ROUNDS = 9;
/** What OpenHands published for a session of 1,000 events. */
const PUBLISHED_MS = 57;
const TURN = 1000;

export const recoveryRows = async (
  store: Store,
  term: number,
): Promise<Row[]> => {
  const engine = engineOn(store, term);
  const short = (await longSession(engine, 9001, 1, TURN)).id;
  const long = (await longSession(engine, 9002, 100, TURN)).id;
  // Just before its next snapshot is due: the most there is to fold.
  const oneTurn = (await longSession(engine, 9003, 1, 101.75 * TURN)).id;
  const recover = async (session: SessionId): Promise<number> => {
    const fresh = engineOn(store, term);
    const start = performance.now();
    await fresh.state(session);
    return performance.now() - start;
  };
  const times: { [K in "short" | "long" | "oneTurn"]: number[] } = {
    short: [],
    long: [],
    oneTurn: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.short.push(await recover(short));
    times.long.push(await recover(long));
    times.oneTurn.push(await recover(oneTurn));
  }
  const unit = "ms";
  const peer = times.short;
  return [
    limit(
      {
        what: "recover 1,000 events, one turn that is not over; peer: published by OpenHands",
        unit,
        ours: times.short,
      },
      { most: PUBLISHED_MS },
    ),
    figure(
      {
        what: "recover 100,000 events, 100 turns, the last not over; peer: 1,000 events",
        unit,
        ours: times.long,
        peer,
      },
      { most: 24 },
    ),
    figure(
      {
        what: "recover 101,750 events, one turn that is not over; peer: 1,000 events",
        unit,
        ours: times.oneTurn,
        peer,
      },
      { most: 24 },
    ),
  ];
};
