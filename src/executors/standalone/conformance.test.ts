import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL } from "../../contract/base/place.ts";
import { executorsConform, type Ground } from "../fixtures/conformance.ts";
import { endDaemon } from "../fixtures/end-daemon.ts";
import { standaloneExecutors } from "./executors.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

executorsConform("standalone", async (): Promise<Ground> => {
  const home = await mkdtemp(join(tmpdir(), "reprise-standalone-"));
  const cwd = join(home, "work");
  await mkdir(cwd);
  return {
    place: LOCAL,
    executors: () =>
      standaloneExecutors({ home, version: "0.0.0-test", log: quiet }),
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      DEMO_HOME: join(home, "demo"),
    },
    dispose: async () => {
      await endDaemon(home);
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
});
