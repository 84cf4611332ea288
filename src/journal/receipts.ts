/**
 * Idempotency keys (P1): the same key and request get the first answer again, another request with that key is refused.
 *
 *   no receipt ─► begin: the effect, and in its transaction a draft ─► finish ─► the draft becomes the answer
 *   a draft    ─► the effect was made and nobody was answered: only finish
 *   an answer  ─► that answer
 */
import { createHash } from "node:crypto";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Lanes } from "../kit/time/lanes.ts";
import type { Receipt } from "./journal-store.ts";

/** What is committed with the effect of a request that has a key. */
export interface Kept<State> {
  receipt?: (after: State) => Receipt;
}

/** Where receipts are looked up, and put when their request was carried out. */
export interface Receipts {
  find(scope: string, key: string): Promise<Receipt | null>;
  /** Adds it, or puts it in the place of the one with the same scope and key. */
  put(receipt: Receipt): Promise<void>;
}

/** A request, in two parts: what it changes, and what is waited for. */
export interface Wish<State, D, T> {
  scope: string;
  key: string | undefined;
  /** What tells it from another request. */
  request: unknown;
  /** What has to be known of the effect to finish it. */
  draft: Shape<D>;
  answer: Shape<T>;
  /** Makes the effect. What `keep` gives goes into its transaction. */
  begin: (keep: (draftOf: (after: State) => D) => Kept<State>) => Promise<D>;
  /** The effect was made by a server that is gone: brings back what that had in memory alone. */
  again?: (draft: D) => Promise<unknown>;
  /** Waits and says what came of it. It may be done again. */
  finish: (draft: D) => Promise<T>;
}

/** Reads what was stored as JSON. */
export interface Shape<T> {
  parse: (stored: unknown) => T;
}

interface OnceDeps {
  receipts: Receipts;
  lanes: Lanes;
}

export const once = <State, D, T>(
  deps: OnceDeps,
  wish: Wish<State, D, T>,
): Promise<T> => {
  const { scope, key } = wish;
  return key === undefined
    ? carryOut(wish)
    : deps.lanes.run(`${scope} ${key}`, () => answerOnce(deps, wish, key));
};

const carryOut = async <State, D, T>({
  begin,
  finish,
}: Wish<State, D, T>): Promise<T> => finish(await begin(() => ({})));

const answerOnce = async <State, D, T>(
  { receipts }: OnceDeps,
  wish: Wish<State, D, T>,
  key: string,
): Promise<T> => {
  const { scope, request, begin, again, finish } = wish;
  const receipt = receiptFor(scope, key, request);
  const known = await knownAnswer(receipts, receipt);
  if (known !== null && !known.startsWith(DRAFT))
    return wish.answer.parse(JSON.parse(known));
  const begun = async (text: string): Promise<D> => {
    const draft = wish.draft.parse(JSON.parse(text.slice(DRAFT.length)));
    await again?.(draft);
    return draft;
  };
  const draft = await (known === null
    ? begin((draftOf) => ({
        receipt: (after) => receipt(DRAFT + JSON.stringify(draftOf(after))),
      }))
    : begun(known));
  const answer = await finish(draft);
  await receipts.put(receipt(JSON.stringify(answer)));
  return answer;
};

/** Before the text of what is no answer yet. No JSON begins so. */
const DRAFT = "draft ";

/** The receipt a request would leave, or the answer it got before: for what is answered in the transaction of its effect. */
export const answeredBefore = async (
  receipts: Pick<Receipts, "find">,
  scope: string,
  key: string,
  request: unknown,
): Promise<{ answer: string } | { receipt: (answer: unknown) => Receipt }> => {
  const receipt = receiptFor(scope, key, request);
  const answer = await knownAnswer(receipts, receipt);
  return answer === null
    ? { receipt: (answer) => receipt(JSON.stringify(answer)) }
    : { answer };
};

/** A request whose effect is in no journal, and must not be made twice. */
export interface Attempt<T> {
  scope: string;
  key: string | undefined;
  request: unknown;
  answer: Shape<T>;
  /** Makes the effect. */
  make: () => Promise<T>;
  /** What is stored of the answer. */
  kept: (answer: T) => T;
  /** Whether the error says that nothing was done. */
  isUndone: (error: unknown) => boolean;
  /** What a repetition gets of which nobody knows whether the effect was made. */
  unknown: () => Error;
}

/** With a key, a draft is put before the effect: whoever finds one does not make the effect again. */
export const atMostOnce = <T>(
  deps: OnceDeps,
  attempt: Attempt<T>,
): Promise<T> => {
  const { scope, key, make } = attempt;
  return key === undefined
    ? make()
    : deps.lanes.run(`${scope} ${key}`, () => attemptOnce(deps, attempt, key));
};

const attemptOnce = async <T>(
  { receipts }: OnceDeps,
  attempt: Attempt<T>,
  key: string,
): Promise<T> => {
  const { scope, request, answer, make, kept, isUndone, unknown } = attempt;
  const receipt = receiptFor(scope, key, request);
  const known = await knownAnswer(receipts, receipt);
  if (known === BEGUN) throw unknown();
  if (known !== null && known !== UNDONE)
    return answer.parse(JSON.parse(known));
  await receipts.put(receipt(BEGUN));
  try {
    const made = await make();
    await receipts.put(receipt(JSON.stringify(kept(made))));
    return made;
  } catch (error) {
    if (isUndone(error)) await receipts.put(receipt(UNDONE));
    throw error;
  }
};

/** Drafts that hold nothing: the effect may have been made, or was not. */
const BEGUN = `${DRAFT}"begun"`;
const UNDONE = `${DRAFT}"undone"`;

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
  receipts: Pick<Receipts, "find">,
  receipt: ReceiptFor,
): Promise<string | null> => {
  const { scope, key, request } = receipt("");
  const known = await receipts.find(scope, key);
  if (known === null || known.request === request) return known?.answer ?? null;
  throw new RepriseError(
    "idempotency_conflict",
    `The key ${key} was used for another request. Use a new key for a new request.`,
  );
};
