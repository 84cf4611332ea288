import { ExecutionId, PromptId, SessionId, TaskId } from "../contract/id.ts";
import { ulid } from "../kit/ulid.ts";
import type { Ids } from "../runtime/ports.ts";

const now = (): number => Date.now();
export const ids: Ids = {
  session: () => SessionId.parse(`ses_${ulid(now())}`),
  task: () => TaskId.parse(`tsk_${ulid(now())}`),
  prompt: () => PromptId.parse(`prm_${ulid(now())}`),
  execution: () => ExecutionId.parse(`exe_${ulid(now())}`),
};
