/** What has to be told when the agent's choices are others than those that the client was told. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Offered } from "../../contract/agent/offered.ts";
import { type Choices, choicesOf, lateOptions } from "./choices.ts";

export interface ChoicesNow {
  updates: SessionUpdate[];
  /** What the client knows then. */
  told: Choices;
}

export const choiceUpdates = (
  told: Choices,
  offered: Offered | null,
): ChoicesNow => {
  if (offered === null) return { updates: [], told };
  const now = knownAs(told, offered);
  const mode = now.modes?.currentModeId;
  const isOther =
    JSON.stringify(now.configOptions ?? []) !==
    JSON.stringify(told.configOptions ?? []);
  return {
    told: now,
    updates: [
      ...(mode !== undefined && mode !== told.modes?.currentModeId
        ? [
            {
              sessionUpdate: "current_mode_update" as const,
              currentModeId: mode,
            },
          ]
        : []),
      ...(isOther
        ? [
            {
              sessionUpdate: "config_option_update" as const,
              configOptions: now.configOptions ?? [],
            },
          ]
        : []),
    ],
  };
};

/** In the form in which the client knows them: who was told no modes has them among the options. */
export const knownAs = (told: Choices, offered: Offered): Choices =>
  told.modes === undefined
    ? { configOptions: lateOptions(offered) }
    : choicesOf(offered);
