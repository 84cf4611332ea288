import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  databaseBelow,
  TOKEN,
} from "../../agents/fixtures/opencode-session.ts";
import { whyNoSandboxes } from "../../kit/processes/bubblewrap.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { withBench } from "../fixtures/bench.ts";
import { again, capture, inWorkspace } from "../fixtures/workspace.ts";

const why = await whyNoSandboxes(process.env);
const skip = why === null || process.env["CI"] === "true" ? false : why;

test(
  "[SBX-4] a program that the workspace brings is not started outside to put the agent's own session back",
  { skip },
  () =>
    withBench(async (bench) => {
      const link = await bench.link();
      const order = await inWorkspace(bench);
      const { session_id, cwd } = order;
      const definition: StartOrder["definition"] = {
        agent: "opencode",
        home: "session",
        env_names: [],
        sandbox: { network: "off" },
      };
      const env = { PATH: "/usr/bin:/bin", HOME: bench.home };
      const inside = { ...order, definition, env };
      databaseBelow(
        join(bench.home, "agentctl", "homes", session_id, "xdg_data_home"),
      );
      const { agent_state } = await capture(link, inside, { token: TOKEN });
      assert.ok(agent_state !== null);

      const bin = join(cwd, "node_modules", ".bin");
      const escaped = join(bench.home, "escaped");
      await mkdir(bin, { recursive: true });
      await writeFile(
        join(bin, "opencode"),
        `#!/bin/sh\necho "$*" >>"${escaped}"\necho "$*" >>"${cwd}/ran"\n`,
        { mode: 0o755 },
      );
      const cwdBefore = "/old/work";
      const memory = { tree: agent_state, token: TOKEN, cwd: cwdBefore };
      const next = again(inside, {
        open: { kind: "native", token: TOKEN, transcript: null, turns: 1 },
        rebuild: {
          tree: null,
          restore: false,
          memory: { ...memory, renamed: true },
        },
      });
      await link.call("start", next);
      await link.wait(next, "start_failed");
      assert.ok(existsSync(join(cwd, "ran")), "it was started inside");
      assert.ok(!existsSync(escaped), "and not outside");
    }),
);
