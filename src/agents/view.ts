import type { AgentView } from "../contract/agent/agent.ts";
import type { Agent } from "./agent/agent.ts";
import { broughtByProject, withoutProject } from "./launch/brought.ts";
import type { Launch, Where } from "./launch/launch.ts";
import { loginCommand, loginOf } from "./launch/login.ts";
import { toldVersion } from "./launch/told-version.ts";

/** An agent as people see it. Files are looked at; a program is asked for its version only when that may take its time and it is the person's. */
export const viewOf = async (
  agent: Agent,
  where: Where,
  { patient }: { patient: boolean },
): Promise<AgentView> => {
  const found = await agent.locate(where);
  const person = { home: where.env["HOME"] ?? "", env: where.env };
  return {
    id: agent.id,
    name: agent.name,
    driver: agent.driver,
    installed: found !== null,
    version: found && (await versionOf(found, where, patient)),
    command: found?.argv ?? [],
    native_session_resume: agent.native,
    history_context_injection: agent.injection,
    install: found === null ? agent.install : null,
    missing: found === null ? (agent.program ?? null) : null,
    ...(agent.configured && { configured: true }),
    found: found?.found ?? null,
    login: await loginOf(agent, person),
    login_command:
      agent.login === undefined
        ? null
        : await loginCommand(agent.login, where.path),
    login_variables: [...(agent.login?.variables ?? [])],
  };
};

const versionOf = async (
  { version, argv, found }: Launch,
  where: Where,
  patient: boolean,
): Promise<string | null> => {
  // A command of somebody's own may do anything when it is run, and so may what a project brings.
  if (version !== null || !patient || found !== "path") return version;
  const [program] = argv;
  const isBrought = await broughtByProject(where);
  if (program === undefined || (await isBrought(program))) return null;
  // A script is run by what its first line names, which is looked for in this PATH.
  const PATH = await withoutProject(where.path, isBrought);
  return toldVersion(program, { ...where.env, PATH });
};
