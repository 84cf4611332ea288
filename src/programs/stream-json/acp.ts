import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
} from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { VERSION } from "../../agents/demo/version.ts";
import { AT_MESSAGE } from "../../agents/launch/at-message.ts";
import { definitionIn } from "../../agents/launch/stream-json-definition.ts";
import { AS_CONFIGURED } from "./dialect/dialect.ts";
import type { Session } from "./session.ts";
import type { Sessions, Wanted } from "./sessions.ts";
import { ClientChannel } from "./client-channel.ts";

const { session } = methods.agent;

/** A CLI as ACP sees it. Nothing is replayed, so `load` is not offered. */
export const streamJsonApp = (sessions: Sessions): AgentApp => {
  const { name, images, mcp, fork } = sessions.dialect;
  const modes = [
    { id: AS_CONFIGURED, name: "As configured" },
    ...sessions.dialect.modes,
  ];
  const opened = ({ mode }: Session) => ({
    modes: { currentModeId: mode, availableModes: modes },
  });
  const app = agent({ name: "stream-json" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "stream-json", title: name, version: VERSION },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { embeddedContext: true, image: images },
        mcpCapabilities: { http: mcp },
        sessionCapabilities: {
          close: {},
          resume: {},
          ...(fork && { fork: {} }),
        },
      },
    }))
    .onRequest(session.new, ({ params }) => {
      const created = sessions.create(wantedOf(params));
      return { sessionId: created.id, ...opened(created) };
    })
    .onRequest(session.resume, async ({ params }) =>
      opened(await sessions.resume(params.sessionId, wantedOf(params))),
    )
    .onRequest(session.setMode, ({ params }) => {
      const { sessionId, modeId } = params;
      if (!modes.some(({ id }) => id === modeId))
        throw RequestError.invalidParams(
          { modes: modes.map(({ id }) => id) },
          `${name} has no mode ${modeId}`,
        );
      sessions.get(sessionId).mode = modeId;
      return {};
    })
    // Registered before `cancel`, so that a cancel that comes right behind its prompt finds the turn begun.
    .onRequest(session.prompt, ({ params, client }) =>
      sessions
        .get(params.sessionId)
        .prompt(params.prompt, new ClientChannel(client, params.sessionId)),
    )
    .onRequest(session.close, async ({ params }) => {
      await sessions.close(params.sessionId);
      return {};
    })
    .onNotification(session.cancel, ({ params }) =>
      sessions.get(params.sessionId).cancel(),
    );
  if (!fork) return app;
  return app.onRequest(session.fork, async ({ params }) => {
    const forked = await sessions.fork(params.sessionId, wantedOf(params));
    return { sessionId: forked.id, ...opened(forked) };
  });
};

const wantedOf = ({
  cwd,
  mcpServers,
  _meta,
}: {
  cwd: string;
  mcpServers?: Wanted["mcpServers"];
  _meta?: unknown;
}): Wanted => ({
  cwd,
  mcpServers: mcpServers ?? [],
  definition: definitionIn(_meta, process.env),
  at: Meta.safeParse(_meta).data?.[AT_MESSAGE] ?? null,
});

const Meta = z.object({ [AT_MESSAGE]: z.string() });
