import * as z from "zod";
import {
  Problem,
  ProblemCode,
  RepriseError,
  problems,
} from "../contract/problem/problem.ts";
import { ServerUnreachable } from "./unreachable-server.ts";

/** A problem document as any release may send it: a newer server may know codes and reasons that we do not. */
const AnyProblem = Problem.extend({
  code: z.string(),
  restriction: Problem.shape.restriction.catch(undefined),
  reason: Problem.shape.reason.catch(undefined),
});

/** The error that a response other than the promised one stands for. */
export const refusalOf = async (
  url: string,
  response: Response,
): Promise<RepriseError | ServerUnreachable> => {
  const parsed = AnyProblem.safeParse(await json(response));
  if (!parsed.success)
    return new ServerUnreachable(
      url,
      `Something answers at ${url} with HTTP ${response.status}, but it is not Reprise.`,
    );
  const { code, detail, ...facts } = parsed.data;
  return refusal(knownCode(code, response.status), detail, facts);
};

const AnySocketError = AnyProblem.omit({
  type: true,
  title: true,
  status: true,
  detail: true,
}).extend({ message: z.string() });

/** The error that an answer over a WebSocket stands for. */
export const socketRefusal = (error: unknown): RepriseError => {
  const { code, message, ...facts } = AnySocketError.parse(error);
  const known = ProblemCode.safeParse(code);
  return refusal(known.success ? known.data : "internal", message, facts);
};

const refusal = (
  code: ProblemCode,
  detail: string,
  facts: Pick<
    z.output<typeof AnyProblem>,
    "state" | "issues" | "damaged_from" | "restriction" | "reason"
  >,
): RepriseError => {
  const { state, issues, damaged_from, restriction, reason } = facts;
  return new RepriseError(code, detail, {
    ...(state === undefined ? {} : { state }),
    ...(issues === undefined ? {} : { issues }),
    ...(damaged_from === undefined ? {} : { damaged_from }),
    restriction,
    ...(reason === undefined ? {} : { reason }),
  });
};

const json = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch (error) {
    // Whoever waits for the rest of it may know that nobody answers any more.
    if (error instanceof ServerUnreachable) throw error;
    return null;
  }
};

const knownCode = (code: string, status: number): ProblemCode => {
  const known = ProblemCode.safeParse(code);
  return known.success ? known.data : nearestCode(status);
};

/** The plainest code we know for a status. */
const nearestCode = (status: number): ProblemCode => {
  switch (status) {
    case problems.unauthorized[0]:
      return "unauthorized";
    case problems.not_found[0]:
      return "not_found";
    case problems.wrong_state[0]:
      return "wrong_state";
    case problems.session_ended[0]:
      return "session_ended";
    default:
      return status < 500 ? "invalid_request" : "internal";
  }
};
