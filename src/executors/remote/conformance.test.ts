import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executorsConform, type Ground } from "../fixtures/conformance.ts";
import { endDaemons } from "../fixtures/end-daemon.ts";
import { listeningIn } from "../fixtures/listening.ts";
import { OwnerId } from "../../contract/base/id.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { remoteExecutors } from "./executors.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

executorsConform("[EXE-1] remote", async (): Promise<Ground> => {
  const scratch = await mkdtemp(join(tmpdir(), "reprise-remote-"));
  const home = join(scratch, "home");
  const cwd = join(scratch, "work");
  await mkdir(cwd);
  const host = await listeningIn(home, scratch);
  const owner = OwnerId.parse(`own_${ulid(Date.now())}`);
  return {
    place: { kind: "remote", id: "box" },
    executors: () =>
      remoteExecutors({
        hosts: { box: host.settings },
        home: scratch,
        owner,
        version: "0.0.0-test",
        log: quiet,
      }),
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      DEMO_HOME: join(scratch, "demo"),
    },
    dispose: async () => {
      await host.end();
      await endDaemons(home);
      await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
    },
  };
});
