import { socketMethods } from "../../contract/api/socket.ts";
import type { shellMethods } from "../../contract/api/shell/shell-method.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import type { ShellAttachments } from "./shell-attachments.ts";
import type { Outcome } from "./outcome.ts";

/** The methods of the WebSocket about shells. */
export const shellCalls = (
  operations: Operations,
  attachments: ShellAttachments,
): Record<
  keyof typeof shellMethods,
  (params: unknown) => Promise<Outcome>
> => ({
  "session.shell.attach": async (params) => {
    const { session_id, shell_id, after } = parse(
      socketMethods["session.shell.attach"],
      params,
      "The params",
    );
    attachments.refuseMore();
    const result = await operations.showShell(session_id, shell_id);
    const shell = await operations.attachShell(session_id, shell_id, after);
    return {
      result,
      afterwards: () => attachments.begin(shell_id, shell, after),
    };
  },

  "session.shell.detach": async (params) => {
    const { session_id, shell_id } = parse(
      socketMethods["session.shell.detach"],
      params,
      "The params",
    );
    attachments.end(shell_id);
    return { result: { session_id, shell_id } };
  },

  "session.shell.input": async (params) => {
    const { shell_id, data, encoding } = parse(
      socketMethods["session.shell.input"],
      params,
      "The params",
    );
    attachments.type(shell_id, data, encoding);
    return { result: {} };
  },

  "session.shell.resize": async (params) => {
    const { session_id, shell_id, ...size } = parse(
      socketMethods["session.shell.resize"],
      params,
      "The params",
    );
    const result = await operations.resizeShell(session_id, shell_id, size);
    return { result };
  },
});
