/** What the door says of itself. */
import {
  type AuthMethod,
  type InitializeRequest,
  type InitializeResponse,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk";
import type { ChosenPlace } from "../contract/base/executor-name.ts";

export interface Self {
  /** The agent behind the door. */
  agent: string;
  /** That new sessions are made by. */
  profile?: string | undefined;
  /** Where they run. */
  place: ChosenPlace;
  version: string;
}

export const hello = (
  self: Self,
  { clientCapabilities }: Pick<InitializeRequest, "clientCapabilities">,
): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: {
    name: "reprise",
    title: `Reprise (${self.agent})`,
    version: self.version,
  },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  },
  authMethods: [
    loginOf(self.agent, clientCapabilities?.auth?.terminal === true),
  ],
});

export const LOGIN = "login";

/** A client that can run a terminal runs our own login there; another one is told what to do. */
const loginOf = (agent: string, hasTerminal: boolean): AuthMethod => ({
  id: LOGIN,
  name: `Log in to ${agent}`,
  description: `Runs the login of ${agent} itself. Reprise keeps none.`,
  ...(hasTerminal && { type: "terminal" as const, args: ["--login"] }),
});
