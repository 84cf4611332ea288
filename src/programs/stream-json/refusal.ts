import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { unreachable } from "../../kit/unreachable.ts";
import {
  AUTH_REQUIRED,
  RESOURCE_NOT_FOUND,
} from "../../agents/agent/acp-error.ts";
import type { TurnEnd } from "./turn.ts";

/** A turn that failed, as ACP's error answer. A quota is told as Claude's own ACP agent tells it. */
export const refusalOf = (
  { failure, stderr }: Extract<TurnEnd, { kind: "failed" }>,
  sessionId: string,
): RequestError => {
  const { kind, message, resetsAt } = failure;
  const data = stderr === "" ? {} : { stderr };
  switch (kind) {
    case "error":
      return new RequestError(INTERNAL, message, data);
    case "unknown_session":
      return new RequestError(RESOURCE_NOT_FOUND, message, {
        ...data,
        sessionId,
      });
    case "not_logged_in":
      return new RequestError(AUTH_REQUIRED, message, data);
    case "rate_limit":
      return new RequestError(INTERNAL, message, {
        ...data,
        errorKind: "rate_limit",
        ...(resetsAt === undefined ? {} : { resetsAt }),
      });
    default:
      return unreachable(kind);
  }
};

const INTERNAL = -32603;
