import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnerId } from "../../contract/base/id.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { executorsConform, type Ground } from "../fixtures/conformance.ts";
import { sshExecutors } from "./executors.ts";
import { SshHost, whyNoSshd } from "./fixtures/ssh-host.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

executorsConform(
  "[SSH-1] [EXE-1] ssh",
  async (): Promise<Ground> => {
    const scratch = await mkdtemp(join(tmpdir(), "reprise-ssh-server-"));
    const host = await SshHost.start();
    const home = join(scratch, "home");
    await mkdir(home);
    const owner = OwnerId.parse(`own_${ulid(Date.now())}`);
    return {
      place: { kind: "ssh", id: "box" },
      executors: () =>
        sshExecutors({
          hosts: { box: host.settings },
          home,
          owner,
          version: "0.0.0-test",
          log: quiet,
        }),
      cwd: host.workspace,
      env: {
        PATH: process.env["PATH"] ?? "",
        DEMO_HOME: join(scratch, "demo"),
      },
      dispose: async () => {
        await host[Symbol.asyncDispose]();
        await rm(scratch, { recursive: true, force: true });
      },
    };
  },
  { skip: (await whyNoSshd()) ?? false },
);
