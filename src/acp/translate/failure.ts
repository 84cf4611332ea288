/** What went wrong, as JSON-RPC has it: a code that editors act on, and words for the person. */
import { RequestError } from "@agentclientprotocol/sdk";
import { ServerUnreachable } from "../../client/client.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** Codes that say that there is no such session, whatever the reason. */
const ABSENT: readonly ProblemCode[] = [
  "invalid_id",
  "not_found",
  "session_not_found",
  "session_deleted",
];

/** Codes that say that what was asked cannot be done as it was asked. */
const UNUSABLE: readonly ProblemCode[] = [
  "invalid_request",
  "invalid_text",
  "body_too_large",
  "unknown_agent",
  "unknown_profile",
  "host_not_usable",
  "container_not_usable",
  "cwd_not_found",
  "cwd_not_a_directory",
  "content_not_supported",
  "not_supported",
  "restriction_not_held",
];

export const failureOf = (error: unknown, sessionId?: string): RequestError => {
  if (error instanceof RequestError) return error;
  const about = sessionId === undefined ? {} : { sessionId };
  if (error instanceof RepriseError)
    return new RequestError(codeOf(error.code), wordsOf(error), {
      ...about,
      code: error.code,
    });
  const words =
    error instanceof ServerUnreachable
      ? error.message
      : `Something went wrong in Reprise: ${error instanceof Error ? error.message : String(error)}`;
  return new RequestError(INTERNAL, words, about);
};

const wordsOf = ({ message, issues = [] }: RepriseError): string =>
  issues.length === 0
    ? message
    : `${message} ${issues.map(({ path, message: what }) => `${path}: ${what}`).join("; ")}`;

const codeOf = (code: ProblemCode): number => {
  if (ABSENT.includes(code)) return NOT_FOUND;
  return UNUSABLE.includes(code) ? INVALID_PARAMS : INTERNAL;
};

export const noSuchSession = (sessionId: string): RequestError =>
  new RequestError(
    NOT_FOUND,
    "There is no such session. Start a new one, or choose one from the list.",
    { sessionId: sessionId.slice(0, 200), code: "session_not_found" },
  );

export const loginMissing = (words: string): RequestError =>
  new RequestError(AUTH_REQUIRED, words, { code: "not_logged_in" });

export const unusable = (words: string): RequestError =>
  new RequestError(INVALID_PARAMS, words, { code: "invalid_request" });

export const failed = (words: string, code: string): RequestError =>
  new RequestError(INTERNAL, words, { code });
