import { command } from "../parsing/command.ts";
import { ServerUnreachable } from "../../client/client.ts";
import { homeOf } from "../../local/home.ts";
import { answer } from "../terminal/print.ts";
import { asCalled } from "../terminal/program.ts";
import type { Palette } from "../terminal/palette.ts";
import { table } from "../terminal/table.ts";
import type { World } from "../terminal/world.ts";
import { checkAgentctl } from "./agentctl.ts";
import { checkCheckpoints } from "./checkpoints.ts";
import { fail, type Finding, warn, ok } from "./check.ts";
import { checkConfig } from "./config.ts";
import { checkHome } from "./home.ts";
import { checkMcpClients } from "./mcp.ts";
import { checkSandbox } from "./sandbox.ts";
import { checkServer } from "./server.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

export const doctor = command({
  name: "doctor",
  summary: "Check this installation and say how to fix what is wrong",
  about: "Works without a server too.",
  args: [],
  options: {},
  examples: ["reprise doctor"],
  exits: { 1: "something must be fixed" },
  async run(_, world) {
    const home = homeOf(world);
    const asFiles = await checkAgentctl(home);
    const asServer = await lookForServer(world);
    // Files tell that agentctl runs, only the server whether it answers.
    const isAnswered = asServer.every(({ name }) => name !== asFiles.name);
    const findings = [
      checkNode(process.versions.node),
      ...(await checkHome(home)),
      await checkConfig(home),
      await checkCheckpoints(home),
      await checkSandbox(world.env),
      ...(isAnswered ? [asFiles] : []),
      ...asServer,
      ...(await checkMcpClients(world)),
    ];
    answer(world, { findings }, () =>
      asCalled(report(findings, world.out.palette), world.program),
    );
    return findings.some(({ verdict }) => verdict === "fail") ? 1 : 0;
  },
});

const lookForServer = async (world: World): Promise<Finding[]> => {
  try {
    return await checkServer(await world.client(), world);
  } catch (error) {
    if (error instanceof ServerUnreachable)
      return [warn("server", "none runs for this home", "reprise up")];
    if (isUnusable(error, "not_ours")) return [fail("server", error.message)];
    throw error;
  }
};

const report = (findings: readonly Finding[], palette: Palette): string => {
  const colours = {
    ok: palette.green,
    warn: palette.yellow,
    fail: palette.red,
  };
  return table(
    findings.map(({ name, verdict, words, fix }) => [
      { text: verdict, paint: colours[verdict] },
      { text: name },
      {
        text:
          fix === undefined
            ? words
            : `${words}; ${verdict === "ok" ? "if you want it:" : "try"} \`${fix}\``,
      },
    ]),
    null,
  );
};

const OLDEST = 24;

const checkNode = (version: string): Finding =>
  Number(version.split(".")[0]) >= OLDEST
    ? ok("node", version)
    : fail(
        "node",
        `${version} is too old: Reprise needs ${OLDEST} and brings its own`,
        "npm install",
      );
