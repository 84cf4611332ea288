/** The methods of `/api/ws` for shells. What shells show comes as binary frames (`shell-frame.ts`). */
import * as z from "zod";
import { SessionId, ShellId } from "../../base/id.ts";
import { ShellSize } from "./shell-route.ts";

/** Bytes of input in one call, at most. */
export const MAX_SHELL_INPUT = 64 * 1024;

const shell = { session_id: SessionId, shell_id: ShellId };

export const shellMethods = {
  /**
   * Answered with the shell. Frames follow: from the offset `after` on where that is kept, else a snapshot first. A
   * connection is attached to a shell once; attaching again begins anew.
   */
  "session.shell.attach": z.strictObject({
    ...shell,
    after: z.number().int().nonnegative().nullable().default(null),
  }),
  "session.shell.detach": z.strictObject(shell),
  /** For a connection that is attached. `base64` is for bytes that are no text, and for NUL. */
  "session.shell.input": z.strictObject({
    ...shell,
    data: z.string().max(MAX_SHELL_INPUT * 2),
    encoding: z.enum(["utf8", "base64"]).default("utf8"),
  }),
  "session.shell.resize": z.strictObject({ ...shell, ...ShellSize.shape }),
} as const;
