import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId } from "../../contract/base/id.ts";
import { LOCAL, placeKey } from "../../contract/base/place.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { type Holder, HeldPlaces } from "./held-places.ts";

const FAR = { kind: "remote", id: "far" };
const why = new Error("given up");

test("[REC-80] a part that cannot be let go, or a connection that cannot be closed, keeps nothing else, and the log says so", async () => {
  const stage = places();
  const first = new Keeper();
  const failing = new Keeper(() => Promise.reject(new Error("no")));
  const throwing = new Keeper(() => {
    throw new Error("neither");
  });
  const last = new Keeper();
  stage.held.keptBy([first, failing, throwing, last], () =>
    Promise.reject(new Error("not closed")),
  );
  await stage.held.claim(FAR);
  await stage.held.release(FAR, why);
  assert.deepEqual([[...first.held()], [...last.held()]], [[], []]);
  assert.deepEqual(stage.released, [placeKey(FAR)]);
  assert.deepEqual(
    new Set(stage.errors),
    new Set(["not closed", "no", "neither"]),
  );
});

test("[REC-80] states are dropped while the connection is still being closed, and what is kept until then goes too", async () => {
  const { held } = places();
  const states = new Keeper();
  const others = new Keeper();
  const closing = Promise.withResolvers<void>();
  held.keptBy([states, others], () => closing.promise);
  await held.claim(FAR);
  const released = held.release(FAR, why);
  await states.emptied;
  assert.deepEqual([...states.held()], []);
  others.keep(session);
  closing.resolve();
  await released;
  assert.deepEqual([...others.held()], []);
});

test("[REC-80] a place that cannot be given back keeps no other from it when the server closes", async () => {
  const stage = places((key) => key === placeKey(LOCAL));
  await stage.held.claim(LOCAL);
  await stage.held.claim(FAR);
  await stage.held.close();
  assert.deepEqual(stage.released, [placeKey(FAR)]);
  assert.deepEqual(stage.errors, ["not given back"]);
});

test("[REC-69] who follows is refused where one place was lost, and not where the home was: that server stops", async () => {
  const lostPlace = places();
  await lostPlace.held.claim(FAR);
  lostPlace.held.lost(FAR);
  // The store of this stage cannot be read: to be refused by it is to be refused at all.
  await assert.rejects(lostPlace.held.requireHeard(session), /unreadable/);
  const lostHome = places(() => false, true);
  await lostHome.held.claim(FAR);
  lostHome.held.lost(FAR);
  await lostHome.held.requireHeard(session);
  await lostHome.held.drain();
  assert.ok(lostHome.stopped());
});

const session = SessionId.parse(`ses_${ulid(0)}`);

/** Keeps one session; does something before it lets go. */
class Keeper implements Holder {
  readonly #kept = new Set([session]);
  readonly #emptied = Promise.withResolvers<void>();
  readonly #before: () => Promise<void> | void;
  readonly emptied = this.#emptied.promise;

  constructor(before: () => Promise<void> | void = () => undefined) {
    this.#before = before;
  }

  keep(id: SessionId): void {
    this.#kept.add(id);
  }

  held(): Iterable<SessionId> {
    return this.#kept;
  }

  letGo(sessions: ReadonlySet<SessionId>): Promise<void> | void {
    const failing = this.#before();
    if (failing !== undefined) return failing;
    for (const id of sessions) this.#kept.delete(id);
    this.#emptied.resolve();
  }
}

/** Everything that is kept is a session of any place; some places cannot be given back. */
const places = (
  isStuck: (key: string) => boolean = () => false,
  isHomeLost = false,
) => {
  let hasStopped = false;
  const released: string[] = [];
  const errors: string[] = [];
  const held = new HeldPlaces({
    ownership: {
      term: 1,
      claim: async () => 1,
      release: async (at) => {
        if (isStuck(placeKey(at))) throw new Error("not given back");
        released.push(placeKey(at));
      },
      isLost: async () => isHomeLost,
    },
    store: { session: () => Promise.reject(new Error("unreadable")) },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (facts) => {
        if ("err" in facts && facts.err instanceof Error)
          errors.push(facts.err.message);
      },
    },
    onHomeLost: () => {
      hasStopped = true;
    },
  });
  return { held, released, errors, stopped: () => hasStopped };
};
