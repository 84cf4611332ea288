/** What the link can be asked about interactive shells. An older agentctl does not know these orders. */
import * as z from "zod";
import { Sandbox } from "../agent/sandbox.ts";
import { SessionId, ShellId } from "../base/id.ts";
import { Shell } from "../session/shell.ts";

const shell = { session_id: SessionId, shell_id: ShellId };
const size = { cols: z.number().int(), rows: z.number().int() };

export const shellOrders = {
  /** Opens a shell. One that was opened with this id before is the answer. */
  shell_open: {
    params: z.object({
      ...shell,
      ...size,
      cwd: z.string(),
      /** As agents get it, values included; never logged, never written to disk. */
      env: z.record(z.string(), z.string()),
      /** What it runs in, where the session has one. */
      sandbox: Sandbox.exactOptional(),
    }),
    result: z.object({ shell: Shell }),
  },
  /** Those of a session, oldest first. */
  shell_list: {
    params: z.object({ session_id: SessionId }),
    result: z.object({ shells: z.array(Shell) }),
  },
  shell_resize: {
    params: z.object({ ...shell, ...size }),
    result: z.object({ shell: Shell }),
  },
  /** Ends it with all it started, and removes what is kept of it. Answered when its processes are gone. */
  shell_close: {
    params: z.object(shell),
    result: z.object({ shell: Shell }),
  },
  /** Ends all shells of a session that goes into the trash. Their last screens stay until the session is discarded. */
  shell_end_all: {
    params: z.object({ session_id: SessionId }),
    result: z.object({}),
  },
} as const;
