import type { CliDialect } from "../../contract/agent.ts";
import type { Launch, Where } from "./launch.ts";
import { ourProgram } from "./our-program.ts";

/** The same launch with our adapter around the CLI, so that it speaks ACP. */
export const inAdapter = (
  dialect: CliDialect,
  cli: Launch,
  where: Where,
): Launch | null => {
  const adapter = ourProgram(
    where,
    "stream-json",
    "../../programs/stream-json/main.ts",
  );
  if (adapter === null) return null;
  const argv = [where.node, adapter, "--dialect", dialect, "--", ...cli.argv];
  return { ...cli, argv };
};
