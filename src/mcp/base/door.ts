/** A door that is open: what it stands on, and what it remembers while it is. */
import { createHash } from "node:crypto";
import {
  createRequestStateCodec,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import type { McpParts } from "./parts.ts";

/** A form may lie on somebody's screen over a weekend. */
const FORM_DAYS = 7;

export interface Door extends McpParts {
  /** Permission requests whose form came back without an answer: nobody is asked a second time. */
  unanswered: Set<string>;
  /** What the end of a call under way leads to, by the signal that tells of its end. */
  watched: WeakMap<AbortSignal, () => void>;
  /** What outlives the call that began it: whoever closes the door waits for it. */
  background: Set<Promise<void>>;
  /** Signs what a client brings back with the answer to a form. */
  states: Pick<RequestStateCodec, "mint" | "verify">;
}

export const openDoor = (parts: McpParts): Door => {
  let codec: Promise<RequestStateCodec> | undefined;
  /** Made when a form is first needed: until then there may be no server whose token it could be made of. */
  const made = (): Promise<RequestStateCodec> =>
    (codec ??= parts.stateKey().then(
      (key) => codecOf(key),
      (error: unknown) => {
        codec = undefined;
        throw error;
      },
    ));
  return {
    ...parts,
    unanswered: new Set(),
    watched: new WeakMap(),
    background: new Set(),
    states: {
      mint: async (payload, ctx) => (await made()).mint(payload, ctx),
      verify: async (state, ctx) => (await made()).verify(state, ctx),
    },
  };
};

const codecOf = (secret: string): RequestStateCodec =>
  createRequestStateCodec({
    key: createHash("sha256").update(`mcp-form:${secret}`).digest("hex"),
    ttlSeconds: FORM_DAYS * 24 * 60 * 60,
  });

/** Lets something go on after its call. */
export const inBackground = (door: Door, work: Promise<unknown>): void => {
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  door.background.add(settled);
  void settled.then(() => door.background.delete(settled));
};
