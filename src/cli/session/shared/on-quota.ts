import { OnQuota } from "../../../contract/agent/on-quota.ts";
import { UsageError } from "../../parsing/usage-error.ts";

export const onQuotaOption = {
  kind: "text",
  value: "Q",
  help: "when the agent's quota is used up: wait for you, continue when it is filled again, or handoff:A,B to have the next of these agents go on until then",
} as const;

/** Refused in the words of the command line, before anything is sent. */
export const onQuotaIn = (text: string | undefined): OnQuota | undefined => {
  if (text === undefined) return undefined;
  const { data, error } = OnQuota.safeParse(text);
  if (data !== undefined) return data;
  throw new UsageError(
    `--on-quota ${JSON.stringify(text)}: ${error?.issues[0]?.message ?? "it is not known"}.`,
  );
};
