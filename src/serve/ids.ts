import {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../contract/base/id.ts";
import { ulid } from "../kit/data/ulid.ts";
import type { Ids } from "../runtime/ports/home.ts";

/** Each id sorts behind those that were made before it, also when the clock was set back in between. */
export const makeIds = (now: () => number): Ids => {
  let last = 0;
  const next = (): string => {
    last = Math.max(now(), last + 1);
    return ulid(last);
  };
  return {
    session: () => SessionId.parse(`ses_${next()}`),
    task: () => TaskId.parse(`tsk_${next()}`),
    attempt: () => AttemptId.parse(`att_${next()}`),
    prompt: () => PromptId.parse(`prm_${next()}`),
    execution: () => ExecutionId.parse(`exe_${next()}`),
    command: () => CommandId.parse(`cmd_${next()}`),
  };
};
