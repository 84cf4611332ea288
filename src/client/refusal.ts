import {
  isProblemCode,
  type ProblemCode,
  problems,
} from "../contract/problem/problem-codes.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import type { Server } from "./call.ts";
import type { Reading, ToldProblem } from "./reading.ts";
import { ServerUnreachable } from "./unreachable-server.ts";

/** The error that a response other than the promised one stands for. */
export const refusalOf = async (
  { url, reading }: Pick<Server, "url" | "reading">,
  response: Response,
): Promise<RepriseError | ServerUnreachable> => {
  const problem = reading.problem(await json(response));
  if (problem === null)
    return new ServerUnreachable(
      url,
      `Something answers at ${url} with HTTP ${response.status}, but it is not Reprise.`,
    );
  const { code } = problem;
  const known = isProblemCode(code) ? code : nearestCode(response.status);
  return refusal(known, problem.detail, problem);
};

/** The error that an answer over a WebSocket stands for. */
export const socketRefusal = (
  reading: Reading,
  error: unknown,
): RepriseError => {
  const problem = reading.socketError(error);
  const { code, message } = problem;
  return refusal(isProblemCode(code) ? code : "internal", message, problem);
};

const refusal = (
  code: ProblemCode,
  detail: string,
  facts: ToldProblem,
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
