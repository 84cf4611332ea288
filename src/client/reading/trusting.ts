/**
 * What a server says, as it says it: for the page, which comes from its own server. It needs no schemas for that, and they would be
 * a fifth of what it loads first. Only what others may say in the server's place, as a proxy does that cannot reach it, is looked at.
 */
import { isRecord } from "../../contract/base/is-record.ts";
import type { Reading } from "./reading.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- the one place where the word of the server is enough
export const trusted = <T>(value: unknown): T => value as T;

export const trusting: Reading = {
  answer: (_, document) => trusted(document),
  event: (value) => trusted(value),
  taskEvent: (value) => trusted(value),
  homeChange: (value) => trusted(value),
  problem: (document) =>
    isRecord(document) &&
    typeof document["code"] === "string" &&
    // Proxies tell codes and details of their own; no refusal of theirs is the server's.
    document["type"] === `urn:reprise:problem:${document["code"]}` &&
    typeof document["detail"] === "string"
      ? trusted(document)
      : null,
  socketError: (value) => trusted(value),
};
