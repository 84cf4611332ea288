import { createHmac } from "node:crypto";
import type { Agent } from "../agents/agent.ts";

/** By the variable. Without the key nobody can tell from a digest what the value was, or try values on it. */
export type CredentialDigests = Readonly<Record<string, string>>;

/** What there is of an agent's credentials in an environment. */
export const digestsOf = (
  key: string,
  agent: Pick<Agent, "login"> | null,
  env: Readonly<Record<string, string>>,
): CredentialDigests =>
  Object.fromEntries(
    (agent?.login?.variables ?? []).flatMap((name) => {
      const value = env[name] ?? "";
      return value === "" ? [] : [[name, digestOf(key, name, value)]];
    }),
  );

const digestOf = (key: string, name: string, value: string): string =>
  createHmac("sha256", key)
    .update(`credential\0${name}\0${value}`)
    .digest("base64url");

/** A variable that is not there now is no other credential: who asks from somewhere else does not take it away. */
export const isSame = (
  before: CredentialDigests,
  now: CredentialDigests,
): boolean =>
  Object.entries(now).every(([name, digest]) => before[name] === digest);
