/** Sessions in sandboxes, and what is run in them. */
import type { Client } from "../../src/client/client.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { whyNoSandboxes } from "../../src/kit/processes/bubblewrap.ts";

const why = await whyNoSandboxes(process.env);
export const skip = why === null || process.env["CI"] === "true" ? false : why;

export const sh = (script: string): [string, ...string[]] => [
  "sh",
  "-c",
  script,
];

export const startIn = async (
  client: Client,
  cwd: string,
  more: Partial<CreateSessionInput> = {},
): Promise<string> => {
  const made = await client.createSession({
    agent: "demo",
    cwd,
    sandbox: true,
    ...more,
  });
  return made.id;
};
