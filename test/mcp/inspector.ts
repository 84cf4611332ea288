/** The inspector of the protocol's makers, and the client for shells that comes with it: programs that we did not write. */
import { join } from "node:path";
import { installPrograms } from "../agents-real/install.ts";

const INSPECTOR = {
  packages: { "@modelcontextprotocol/inspector": "2.12.0" },
  programs: ["mcp-inspector", "mcpdo"],
  scripts: [],
} as const;

/** Resolves with the path of one of its programs. */
export const inspectorProgram = async (
  name: (typeof INSPECTOR.programs)[number],
): Promise<string> =>
  join(await installPrograms("mcp-inspector", INSPECTOR), name);
