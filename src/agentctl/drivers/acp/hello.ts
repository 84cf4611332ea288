import { PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import * as z from "zod";
import { corrected } from "../../../agents/agent/corrected.ts";
import type { Abilities } from "../../../contract/agent/agent.ts";
import type { Setup } from "../driver.ts";
import type { Hello } from "./state.ts";

/** What the agent's answer to `initialize` says, restricted by what the registry and the configuration allow. */
export const helloOf = (
  result: unknown,
  agent: Setup["agent"],
): Hello | { refused: string } => {
  const hello = InitializeResult.safeParse(result).data;
  if (hello === undefined)
    return {
      refused: "The agent's answer to initialize names no protocol version",
    };
  if (hello.protocolVersion !== PROTOCOL_VERSION)
    return {
      refused: `The agent speaks protocol version ${hello.protocolVersion} of ACP, and not version ${PROTOCOL_VERSION}`,
    };
  const { loadSession, promptCapabilities, sessionCapabilities } =
    hello.agentCapabilities;
  const session = sessionCapabilities;
  const handshake: Abilities = {
    resume: agent.native && session["resume"] != null,
    load: agent.native && loadSession,
    close: session["close"] != null,
    injection: agent.injection,
    images: promptCapabilities["image"] === true,
    files: promptCapabilities["embeddedContext"] === true,
    system_prompt: session["systemPrompt"] != null,
  };
  return {
    abilities: corrected(
      handshake,
      agent.corrections ?? [],
      hello.agentInfo?.version ?? null,
    ),
    agent_info: hello.agentInfo && {
      name: hello.agentInfo.title ?? hello.agentInfo.name,
      version: hello.agentInfo.version,
    },
  };
};

const Some = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch({})
  .transform((it) => it ?? {});

const InitializeResult = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false).default(false),
      promptCapabilities: Some,
      sessionCapabilities: Some,
    })
    .nullish()
    .transform(
      (it) =>
        it ?? {
          loadSession: false,
          promptCapabilities: {},
          sessionCapabilities: {},
        },
    ),
  agentInfo: z
    .object({
      name: z.string(),
      title: z.string().nullish(),
      version: z
        .string()
        .nullish()
        .transform((it) => it ?? null),
    })
    .nullish()
    .catch(null)
    .transform((it) => it ?? null),
});
