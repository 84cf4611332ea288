import type { ProblemCode } from "../contract/problem/problem-codes.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import type { Reading, ToldProblem } from "./reading/reading.ts";
import { ServerUnreachable } from "./unreachable-server.ts";

/** The error that a response other than the promised one stands for. */
export const refusalOf = async (
  { url, reading }: { url: string; reading: Reading },
  response: Response,
): Promise<RepriseError | ServerUnreachable> => {
  const problem = reading.problem(await json(response), response.status);
  if (problem === null)
    return new ServerUnreachable(
      url,
      `Something answers at ${url} with HTTP ${response.status}, but it is not Reprise.`,
    );
  return refusal(problem.code, problem.detail, problem);
};

/** The error that an answer over a WebSocket stands for. */
export const socketRefusal = (
  reading: Reading,
  error: unknown,
): RepriseError => {
  const problem = reading.socketError(error);
  return refusal(problem.code, problem.message, problem);
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
