/** Every method that the library knows on the agent's side, with what a hostile client sends to it. */
import type { AGENT_METHODS } from "@agentclientprotocol/sdk";

type AgentMethod = (typeof AGENT_METHODS)[keyof typeof AGENT_METHODS];

/**
 *   unserved       the door does not have it
 *   alone          a request that is about no session
 *   session        a request about one; `ifUnknown` says how it is answered where there is none
 *   notification   about a session, never answered
 */
export type Hostile =
  | { kind: "unserved" }
  | { kind: "alone" }
  | {
      kind: "session";
      /** What it takes besides the session. */
      more: (cwd: string) => object;
      ifUnknown: "refused" | "done";
    }
  | { kind: "notification" };

const about = (more: object = {}): Hostile => ({
  kind: "session",
  more: () => more,
  ifUnknown: "refused",
});

const opening: Hostile = {
  kind: "session",
  more: (cwd) => ({ cwd, mcpServers: [] }),
  ifUnknown: "refused",
};

/** The library takes it as done that there is none. */
const ending: Hostile = {
  kind: "session",
  more: () => ({}),
  ifUnknown: "done",
};

/** A method that is new in the library does not compile until it is here. */
export const hostileMethods: Record<AgentMethod, Hostile> = {
  initialize: { kind: "alone" },
  authenticate: { kind: "alone" },
  logout: { kind: "unserved" },
  "session/new": { kind: "alone" },
  "session/list": { kind: "alone" },
  "session/load": opening,
  "session/resume": opening,
  "session/prompt": about({ prompt: [{ type: "text", text: "x" }] }),
  "session/set_mode": about({ modeId: "work" }),
  "session/set_config_option": about({ configId: "a", value: "b" }),
  "session/close": ending,
  "session/delete": ending,
  "session/cancel": { kind: "notification" },
};
