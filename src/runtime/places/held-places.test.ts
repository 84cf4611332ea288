import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId } from "../../contract/base/id.ts";
import { LOCAL, type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { ulid } from "../../kit/data/ulid.ts";
import type { Ownership } from "../ports/ownership.ts";
import { HeldPlaces } from "./held-places.ts";
import { type Keeper, KeptSessions } from "./kept-sessions.ts";

const FAR = { kind: "remote", id: "far" };
const why = new Error("given up");
const unreadable = () => Promise.reject(new Error("unreadable"));

test("[REC-80] a part that cannot be let go, or a connection that cannot be closed, keeps nothing else, and the log says so", async () => {
  const first = new Part();
  const failing = new Part(() => Promise.reject(new Error("no")));
  const throwing = new Part(() => {
    throw new Error("neither");
  });
  const last = new Part();
  const stage = places({
    keepers: [first, failing, throwing, last],
    leave: () => Promise.reject(new Error("not closed")),
  });
  await stage.held.claim(FAR);
  await stage.held.release(FAR, why);
  assert.deepEqual([[...first.kept()], [...last.kept()]], [[], []]);
  assert.deepEqual(stage.released, [placeKey(FAR)]);
  assert.deepEqual(
    new Set(stage.errors),
    new Set(["not closed", "no", "neither"]),
  );
});

test("[REC-80] states are dropped while the connection is still being closed, and what is kept until then goes too", async () => {
  const states = new Part();
  const others = new Part();
  const closing = Promise.withResolvers<void>();
  const { held } = places({
    keepers: [states, others],
    leave: () => closing.promise,
  });
  await held.claim(FAR);
  const released = held.release(FAR, why);
  await states.emptied;
  assert.deepEqual([...states.kept()], []);
  others.keep(session);
  closing.resolve();
  await released;
  assert.deepEqual([...others.kept()], []);
});

test("[REC-80] a place that cannot be given back keeps no other from it when the server closes", async () => {
  const stage = places({
    ownership: {
      release: async (at) => {
        if (placeKey(at) === placeKey(LOCAL)) throw new Error("not given back");
        stage.released.push(placeKey(at));
      },
    },
  });
  await stage.held.claim(LOCAL);
  await stage.held.claim(FAR);
  await stage.held.close();
  assert.deepEqual(stage.released, [placeKey(FAR)]);
  assert.deepEqual(stage.errors, ["not given back"]);
});

test("[REC-70] what is kept is let go without a look at the store when the server closes, and no place is claimed any more", async () => {
  const part = new Part();
  const stage = places({ keepers: [part] });
  await stage.held.claim(LOCAL);
  await stage.held.claim(FAR);
  await stage.held.close();
  assert.deepEqual([...part.kept()], []);
  assert.equal(stage.reads(), 0);
  await assert.rejects(stage.held.claim(FAR), { code: "agentctl_unavailable" });
  assert.equal(stage.held.isHeld(FAR), false);
});

test("[REC-80] each session is looked up once when a place is released", async () => {
  const stage = places({
    keepers: [new Part(() => undefined, false)],
    store: async () => null,
  });
  await stage.held.claim(FAR);
  await stage.held.release(FAR, why);
  assert.equal(stage.reads(), 1);
});

test("[REC-69] who follows is refused where one place was lost, and not where the home was: that server stops", async () => {
  const lostPlace = places({ ownership: { coversPlaces: true } });
  lostPlace.held.reportLoss(FAR, 1);
  // The store of this stage cannot be read: to be refused by it is to be refused at all.
  await assert.rejects(lostPlace.held.requireHeard(session), /unreadable/);
  const lostHome = places({
    ownership: { coversPlaces: true, isLost: async () => true },
  });
  lostHome.held.reportLoss(FAR, 1);
  await lostHome.held.requireHeard(session);
  await lostHome.held.drain();
  assert.ok(lostHome.stopped());
});

test("[REC-88] a lost place is not claimed again, and a loss of an older term is none", async () => {
  let term = 0;
  const { held } = places({ ownership: { claim: async () => (term += 1) } });
  await held.claim(FAR);
  await held.release(FAR, why);
  assert.equal((await held.claim(FAR)).term, 2);
  held.reportLoss(FAR, 1);
  assert.ok(held.isHeld(FAR));
  held.reportLoss(FAR, 2);
  await assert.rejects(held.claim(FAR), { code: "superseded" });
  assert.throws(() => held.requireHeld(FAR), { message: /has taken over/ });
  assert.equal(term, 2);
  await held.drain();
});

test("[REC-90] who claims a place while it is released waits until it is given back, and claims it anew", async () => {
  const done: string[] = [];
  const givenBack = Promise.withResolvers<void>();
  const { held } = places({
    ownership: {
      claim: async () => done.push("claimed"),
      release: async () => {
        await givenBack.promise;
        done.push("given back");
      },
    },
  });
  await held.claim(FAR);
  const released = held.release(FAR, why);
  const again = held.claim(FAR);
  assert.equal(held.isHeld(FAR), false);
  givenBack.resolve();
  await Promise.all([released, again]);
  assert.deepEqual(done, ["claimed", "given back", "claimed"]);
  assert.ok(held.isHeld(FAR));
});

test("[REC-90] a place that is released while it is claimed is given back once it is claimed", async () => {
  const claimed = Promise.withResolvers<number>();
  const stage = places({ ownership: { claim: () => claimed.promise } });
  const claiming = stage.held.claim(FAR);
  const released = stage.held.release(FAR, why);
  assert.deepEqual(stage.released, []);
  claimed.resolve(1);
  await Promise.all([claiming, released]);
  assert.deepEqual(stage.released, [placeKey(FAR)]);
  assert.equal(stage.held.isHeld(FAR), false);
});

test("[REC-90] all who claim at once share one claim; who is refused may try again", async () => {
  let claims = 0;
  const { held } = places({
    ownership: {
      claim: async () => {
        claims += 1;
        if (claims > 1) return claims;
        throw new RepriseError("superseded", "Another server has it.");
      },
    },
  });
  const first = [held.claim(FAR), held.claim(FAR)];
  for (const refused of await Promise.allSettled(first))
    assert.equal(refused.status, "rejected");
  assert.equal((await held.claim(FAR)).term, 2);
});

test("[REC-89] who only reads claims nothing; where the home covers all places they are held without a claim", async () => {
  const claimed: PlaceRef[] = [];
  const claim = async (at: PlaceRef) => claimed.push(at);
  const several = places({ ownership: { claim } });
  assert.equal(several.held.isHeld(FAR), false);
  assert.throws(() => several.held.requireHeld(FAR), { code: "superseded" });
  await assert.rejects(several.held.requireHeard(session), /unreadable/);
  const one = places({ ownership: { claim, coversPlaces: true } });
  assert.ok(one.held.isHeld(FAR));
  await one.held.requireHeard(session);
  assert.deepEqual(claimed, []);
  await one.held.close();
  assert.deepEqual(one.released, [placeKey(FAR)]);
});

const session = SessionId.parse(`ses_${ulid(0)}`);

/** Keeps one session; does something before it lets go. */
class Part implements Keeper {
  readonly #kept = new Set([session]);
  readonly #emptied = Promise.withResolvers<void>();
  readonly #before: () => Promise<void> | void;
  readonly #empties: boolean;
  readonly emptied = this.#emptied.promise;

  constructor(
    before: () => Promise<void> | void = () => undefined,
    empties = true,
  ) {
    this.#before = before;
    this.#empties = empties;
  }

  keep(id: SessionId): void {
    this.#kept.add(id);
  }

  kept(): Iterable<SessionId> {
    return this.#kept;
  }

  letGo(sessions: ReadonlySet<SessionId>): Promise<void> | void {
    const failing = this.#before();
    if (failing !== undefined) return failing;
    if (this.#empties) for (const id of sessions) this.#kept.delete(id);
    this.#emptied.resolve();
  }
}

/** As of a server that claims each place by itself. Where the store cannot be read, what is kept counts as of any place. */
const places = ({
  ownership = {},
  keepers = [],
  leave = async () => undefined,
  store = unreadable,
}: {
  ownership?: Partial<Ownership>;
  keepers?: Keeper[];
  leave?: (at: PlaceRef) => Promise<void>;
  store?: () => Promise<null>;
} = {}) => {
  let hasStopped = false;
  let reads = 0;
  const released: string[] = [];
  const errors: string[] = [];
  const parts = {
    ownership: {
      term: 1,
      coversPlaces: false,
      claim: async () => 1,
      release: async (at: PlaceRef) => void released.push(placeKey(at)),
      isLost: async () => false,
      ...ownership,
    },
    store: {
      session: () => {
        reads += 1;
        return store();
      },
    },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (facts: object) => {
        if ("err" in facts && facts.err instanceof Error)
          errors.push(facts.err.message);
      },
    },
    onHomeLost: () => {
      hasStopped = true;
    },
  };
  const held = new HeldPlaces(parts);
  const kept = new KeptSessions({ ...parts, held, keepers, leave });
  return {
    held,
    kept,
    released,
    errors,
    reads: () => reads,
    stopped: () => hasStopped,
  };
};
