import { ProfileId } from "../../../contract/agent/profile-view.ts";
import { UsageError } from "../../parsing/usage-error.ts";

export const profileOption = {
  kind: "text",
  value: "NAME",
  help: "a profile of config.json, which names the agent and how it works; `reprise agents` lists them",
} as const;

/** Who is to work. Refused in the words of the command line, before anything is sent. */
export const whoIn = ({
  agent,
  profile,
}: {
  agent: string | undefined;
  profile: string | undefined;
}): { agent?: string; agent_profile_id?: string } => {
  if (profile !== undefined && !ProfileId.safeParse(profile).success)
    throw new UsageError(
      `--profile ${JSON.stringify(profile)} is not the name of a profile: lower-case letters, digits and dashes.`,
    );
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(profile === undefined ? {} : { agent_profile_id: profile }),
  };
};
