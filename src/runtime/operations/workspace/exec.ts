/** Runs a command in the workspace of a session (RUN-1), at most once for each key (RUN-9). */
import {
  ExecResult,
  type ExecRequest,
} from "../../../contract/api/run-route.ts";
import type { CommandId, SessionId } from "../../../contract/base/id.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { LinkResult } from "../../../contract/link/link.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { isTerminal } from "../../../contract/session/state.ts";
import { atMostOnce } from "../../../journal/receipts.ts";
import { placeOf } from "../../../session/state/place.ts";
import type { State } from "../../../session/state/state.ts";
import { agentSessionOf } from "../../callers/agent-session.ts";
import { withoutHome } from "../../callers/caller-environments.ts";
import { isLinkLost } from "../../failures/link-lost.ts";
import { checkSandbox } from "../../places/sandbox.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { encoded, shortened } from "./output-text.ts";

/** Of each stream, for whoever repeats a request. */
const MAX_KEPT_OUTPUT = 64 * 1024;

export const execCommand = async (
  deps: OperationDeps,
  session: SessionId,
  { caller_env, ...request }: ExecRequest,
  { key, signal }: { key?: string | undefined; signal?: AbortSignal },
): Promise<ExecResult> => {
  await deps.held.requireHeard(session);
  const state = await deps.engine.state(session);
  refuseClosed(state);
  const place = await deps.places.obtain(placeOf(state));
  const callerEnv =
    caller_env === undefined ? undefined : withoutHome(caller_env);
  const { env = {}, ...others } = request;
  return atMostOnce(deps, {
    scope: session,
    key,
    // Values are secret: only whether they are the same is kept.
    request: {
      operation: "exec",
      ...others,
      env: deps.callers.label(session, env),
    },
    answer: ExecResult,
    make: async () => {
      const id = deps.ids.command();
      const agent = await agentSessionOf(deps, state, callerEnv);
      await checkSandbox(place, agent.definition.sandbox);
      const over = follow(deps, place, id, signal);
      const { argv, cwd: within = ".", stdin = "", timeout_ms } = request;
      const ran = place.run.exec({
        command_id: id,
        session_id: session,
        cwd: state.workspace.cwd,
        within,
        argv,
        agent,
        env,
        stdin,
        timeout_ms,
      });
      try {
        return told(id, await ran, request.encoding);
      } catch (error) {
        throw isLinkLost(error) ? unknown(error) : error;
      } finally {
        over();
      }
    },
    kept: (result) => ({
      ...result,
      stdout: shortened(result.stdout, MAX_KEPT_OUTPUT, result.encoding),
      stderr: shortened(result.stderr, MAX_KEPT_OUTPUT, result.encoding),
      stdout_truncated: result.stdout_bytes > MAX_KEPT_OUTPUT,
      stderr_truncated: result.stderr_bytes > MAX_KEPT_OUTPUT,
    }),
    // An accident may have happened after it ran.
    isUndone: (error) =>
      error instanceof LinkError && error.code !== "internal",
    unknown,
  }).catch((error: unknown) => askPlace(Promise.reject(error)));
};

/** Ends the command when its caller goes away or the server closes. Returns how to stop watching. */
const follow = (
  { closing, log }: Pick<OperationDeps, "closing" | "log">,
  place: Place,
  command_id: CommandId,
  signal: AbortSignal | undefined,
): (() => void) => {
  const gone = AbortSignal.any([closing, ...(signal ? [signal] : [])]);
  const cancel = (): void => {
    place.run.cancel_exec({ command_id }).catch((error: unknown) => {
      // Without a link it has ended already.
      if (!isLinkLost(error))
        log.warn({ err: error, command_id }, "a command cannot be cancelled");
    });
  };
  // A microtask later the order is on its way, so that this one comes behind it.
  if (gone.aborted) queueMicrotask(cancel);
  else gone.addEventListener("abort", cancel, { once: true });
  return () => gone.removeEventListener("abort", cancel);
};

const told = (
  id: CommandId,
  { stdout: out, stderr: err, ...outcome }: LinkResult<"exec">,
  encoding: ExecRequest["encoding"],
): ExecResult => {
  const { stdout_bytes, stderr_bytes } = outcome;
  const [stdout, stderr] = [
    Buffer.from(out, "base64"),
    Buffer.from(err, "base64"),
  ];
  return {
    id,
    ...outcome,
    encoding,
    stdout: encoded(stdout, stdout_bytes, encoding),
    stderr: encoded(stderr, stderr_bytes, encoding),
    stdout_truncated: stdout_bytes > stdout.length,
    stderr_truncated: stderr_bytes > stderr.length,
  };
};

const refuseClosed = ({ lifecycle, deleted_at, checkpoints }: State): void => {
  if (deleted_at !== null)
    throw new RepriseError(
      "session_deleted",
      "The session is in the trash. Take it out first.",
    );
  if (isTerminal(lifecycle.name))
    throw new RepriseError(
      "session_ended",
      "The session has ended: no more commands run in it. Fork it to go on.",
      { state: lifecycle.name },
    );
  if (checkpoints.rewinding !== null)
    throw new RepriseError(
      "wrong_state",
      "The session is being rewound: wait until that is done.",
      { state: lifecycle.name },
    );
};

const unknown = (cause?: unknown): RepriseError =>
  new RepriseError(
    "exec_unknown",
    "The server or agentctl went away while the command ran. It was ended; how far it got is not known. Look at the workspace, then run it again with another key.",
    { cause },
  );
