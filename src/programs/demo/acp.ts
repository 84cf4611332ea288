import {
  agent,
  methods,
  PROTOCOL_VERSION,
  type AgentApp,
  type AgentContext,
  type ContentBlock,
} from "@agentclientprotocol/sdk/unstable";
import { unreachable } from "../../kit/unreachable.ts";
import { modeOf, modesWith } from "./mode.ts";
import { optionsWith, voiceOf } from "./option.ts";
import type { Entry } from "./session-file.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { VERSION } from "../../agents/demo/version.ts";

const { session } = methods.agent;

/** The demo agent as ACP sees it. Without `native` it neither offers nor answers what brings a session back. */
export const demoApp = (sessions: Sessions, native: boolean): AgentApp => {
  const app = agent({ name: "demo" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "demo", title: "Demo", version: VERSION },
      agentCapabilities: {
        loadSession: native,
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: {
          close: {},
          ...(native && { resume: {}, fork: {} }),
        },
      },
    }))
    .onRequest(session.new, async ({ params }) => {
      const created = await sessions.create(params.cwd);
      return { sessionId: created.id, ...opened(created) };
    })
    .onRequest(session.setMode, ({ params }) => {
      sessions.get(params.sessionId).mode = modeOf(params.modeId);
      return {};
    })
    .onRequest(session.setConfigOption, ({ params }) => {
      const asked = sessions.get(params.sessionId);
      asked.voice = voiceOf(params.configId, params.value);
      return { configOptions: optionsWith(asked.voice) };
    })
    // Registered before `cancel`, so that a cancel that comes right behind its prompt finds the turn begun.
    .onRequest(session.prompt, async ({ params, client }) => ({
      stopReason: await sessions
        .get(params.sessionId)
        .prompt(textOf(params.prompt), client),
    }))
    .onRequest(session.close, async ({ params }) => {
      await sessions.close(params.sessionId);
      return {};
    })
    .onNotification(session.cancel, ({ params }) =>
      sessions.get(params.sessionId).cancel(),
    );
  if (!native) return app;
  return app
    .onRequest(session.load, async ({ params, client }) => {
      const { session, entries } = await sessions.reopen(
        params.sessionId,
        params.cwd,
      );
      await replay(entries, params.sessionId, client);
      return opened(session);
    })
    .onRequest(session.resume, async ({ params }) => {
      const { session } = await sessions.reopen(params.sessionId, params.cwd);
      return opened(session);
    })
    .onRequest(session.fork, async ({ params }) => {
      const forked = await sessions.fork(params.sessionId, params.cwd);
      return { sessionId: forked.id, ...opened(forked) };
    });
};

const opened = ({ mode, voice }: Session) => ({
  modes: modesWith(mode),
  configOptions: optionsWith(voice),
});

const replay = async (
  entries: readonly Entry[],
  sessionId: string,
  client: AgentContext,
): Promise<void> => {
  for (const { type, text } of entries)
    await client.notify(methods.client.session.update, {
      sessionId,
      update: {
        sessionUpdate:
          type === "prompt" ? "user_message_chunk" : "agent_message_chunk",
        content: { type: "text", text },
      },
    });
};

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map(textOfBlock).join("\n");

const textOfBlock = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource
        ? block.resource.text
        : `[${block.resource.uri}]`;
    case "resource_link":
      return `[${block.uri}]`;
    case "image":
    case "audio":
      return `[${block.type}]`;
    default:
      return unreachable(block);
  }
};
