/**
 * Idempotency keys (P1): the same key and request get the first answer again, another request with that key is refused.
 *
 *   no receipt ─► begin: the effect, and in its transaction a draft ─► finish ─► the draft becomes the answer
 *   a draft    ─► the effect was made and nobody was answered: only finish
 *   an answer  ─► that answer
 */
import { createHash } from "node:crypto";
import type { SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine } from "../journal/engine.ts";
import type { Lanes } from "../../kit/time/lanes.ts";
import type { Receipt, Store } from "../ports/store.ts";
import type { Recovery } from "../recovery/recovery.ts";

/** What is committed with the effect of a request that has a key. */
export interface Kept {
  receipt?: (after: State) => Receipt;
}

/** A request, in two parts: what it changes, and what is waited for. */
export interface Wish<D, T> {
  scope: string;
  key: string | undefined;
  /** What tells it from another request. */
  request: unknown;
  /** The session it is about, where it is about one. */
  session?: SessionId;
  /** What has to be known of the effect to finish it. */
  draft: Shape<D>;
  answer: Shape<T>;
  /** Makes the effect. What `keep` gives goes into its transaction. */
  begin: (keep: (draftOf: (after: State) => D) => Kept) => Promise<D>;
  /** The effect was made by a server that is gone: brings back what that had in memory alone. */
  again?: (draft: D) => Promise<unknown>;
  /** Waits and says what came of it. It may be done again. */
  finish: (draft: D) => Promise<T>;
}

/** Reads what was stored as JSON. */
export interface Shape<T> {
  parse: (stored: unknown) => T;
}

interface Means {
  store: Store;
  engine: Engine;
  lanes: Lanes;
  recovery: Recovery;
}

export const once = <D, T>(deps: Means, wish: Wish<D, T>): Promise<T> => {
  const { scope, key } = wish;
  return key === undefined
    ? carryOut(wish)
    : deps.lanes.run(`${scope} ${key}`, () => answerOnce(deps, wish, key));
};

const carryOut = async <D, T>({ begin, finish }: Wish<D, T>): Promise<T> =>
  finish(await begin(() => ({})));

const answerOnce = async <D, T>(
  { store, engine, recovery }: Means,
  wish: Wish<D, T>,
  key: string,
): Promise<T> => {
  const { scope, request, session, begin, again, finish } = wish;
  const receipt = receiptFor(scope, key, request);
  const known = await knownAnswer(store, receipt);
  if (known !== null && !known.startsWith(DRAFT))
    return wish.answer.parse(JSON.parse(known));
  const begun = async (text: string): Promise<D> => {
    const draft = wish.draft.parse(JSON.parse(text.slice(DRAFT.length)));
    await again?.(draft);
    if (session !== undefined) await recovery.touch(session);
    return draft;
  };
  const draft = await (known === null
    ? begin((draftOf) => ({
        receipt: (after) => receipt(DRAFT + JSON.stringify(draftOf(after))),
      }))
    : begun(known));
  const answer = await finish(draft);
  await store.putReceipt(engine.term, receipt(JSON.stringify(answer)));
  return answer;
};

/** Before the text of what is no answer yet. No JSON begins so. */
const DRAFT = "draft ";

/** The receipt a request would leave, or the answer it got before: for what is answered in the transaction of its effect. */
export const answeredBefore = async (
  store: Store,
  scope: string,
  key: string,
  request: unknown,
): Promise<{ answer: string } | { receipt: (answer: unknown) => Receipt }> => {
  const receipt = receiptFor(scope, key, request);
  const answer = await knownAnswer(store, receipt);
  return answer === null
    ? { receipt: (answer) => receipt(JSON.stringify(answer)) }
    : { answer };
};

type ReceiptFor = (answer: string) => Receipt;

const receiptFor = (
  scope: string,
  key: string,
  request: unknown,
): ReceiptFor => {
  const digest = createHash("sha256")
    .update(JSON.stringify(request))
    .digest("hex");
  return (answer) => ({ scope, key, request: digest, answer });
};

const knownAnswer = async (
  store: Store,
  receipt: ReceiptFor,
): Promise<string | null> => {
  const { scope, key, request } = receipt("");
  const known = await store.receipt(scope, key);
  if (known === null || known.request === request) return known?.answer ?? null;
  throw new RepriseError(
    "idempotency_conflict",
    `The key ${key} was used for another request. Use a new key for a new request.`,
  );
};
