/** `reprise acp`: an agent for editors, whose sessions outlive the editor, this process and the server. */
import { agent, type AgentApp, methods } from "@agentclientprotocol/sdk";
import { connect } from "../client/client.ts";
import { reconnectingAddress } from "../local/reconnecting-address.ts";
import { Door, type DoorOptions } from "./door.ts";
import { logIn } from "./login.ts";
import { failureOf } from "./translate/failure.ts";
import { Wire } from "./wire.ts";

export interface AcpOptions extends DoorOptions {
  /** Only log in to the agent, in this terminal. */
  login: boolean;
}

/** Resolves with the exit code when the client has left. */
export const runAcp = async (options: AcpOptions): Promise<0 | 1> => {
  if (options.login)
    return logIn(connect(reconnectingAddress(options)), options.agent);
  const wire = new Wire();
  const door = new Door(options, wire);
  const connection = appOf(door).connect(wire.stream);
  await connection.closed;
  await door.leave();
  return 0;
};

const { session } = methods.agent;

const appOf = (door: Door): AgentApp =>
  agent({ name: "reprise" })
    .onRequest(methods.agent.initialize, ({ params }) =>
      door.initialize(params),
    )
    .onRequest(methods.agent.authenticate, ({ params }) =>
      guarded(() => door.authenticate(params.methodId)),
    )
    .onRequest(session.new, ({ params, client }) =>
      guarded(() => door.newSession(params, client)),
    )
    .onRequest(session.load, ({ params, client }) =>
      guarded(() => door.loadSession(params, client), params.sessionId),
    )
    .onRequest(session.resume, ({ params, client }) =>
      guarded(() => door.resumeSession(params, client), params.sessionId),
    )
    .onRequest(session.list, ({ params }) => guarded(() => door.list(params)))
    .onRequest(session.prompt, ({ params, signal, client }) =>
      guarded(
        () => door.prompt(params.sessionId, params.prompt, signal, client),
        params.sessionId,
      ),
    )
    .onRequest(session.close, ({ params }) =>
      guarded(() => door.close(params.sessionId), params.sessionId),
    )
    .onRequest(session.delete, ({ params }) =>
      guarded(() => door.delete(params.sessionId), params.sessionId),
    )
    .onRequest(session.setMode, ({ params }) =>
      guarded(
        () => door.setMode(params.sessionId, params.modeId),
        params.sessionId,
      ),
    )
    .onRequest(session.setConfigOption, ({ params }) =>
      guarded(() => door.setOption(params), params.sessionId),
    )
    .onNotification(session.cancel, ({ params }) =>
      guarded(() => door.cancel(params.sessionId), params.sessionId),
    );

/** Errors leave as JSON-RPC has them, with words for the person. */
const guarded = async <T>(
  work: () => Promise<T>,
  sessionId?: string,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, sessionId);
  }
};
