import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods } from "../../contract/link/link.ts";
import { whyNoSandboxes } from "../../kit/processes/bubblewrap.ts";
import { withBench } from "../fixtures/bench.ts";
import { newShell } from "../fixtures/test-shell.ts";
import { inWorkspace } from "../fixtures/workspace.ts";

const why = await whyNoSandboxes(process.env);
const skip = why === null || process.env["CI"] === "true" ? false : why;

test(
  "[SBX-11] [SBX-22] what runs in a sandbox is adopted also where its proxy cannot be opened again",
  { skip },
  () =>
    withBench(async (bench) => {
      const link = await bench.link();
      const made = await inWorkspace(bench);
      const sandbox = { network: "list" as const, hosts: ["example.org"] };
      const order = {
        ...made,
        definition: { ...made.definition, home: "session" as const, sandbox },
      };
      await link.call("start", order);
      await link.turn(order, "remember key = cucumber");
      const { session_id, cwd } = order;
      const shell_id = newShell();
      const opened = { shell_id, session_id, cols: 80, rows: 24, cwd, sandbox };
      await link.call("shell_open", { ...opened, env: order.env });

      await bench.down();
      const proxies = join(bench.home, "agentctl", "proxies");
      await rm(proxies, { recursive: true });
      await writeFile(proxies, "no directory");
      await bench.up();
      const next = await bench.link(2);
      const { execution_id, epoch } = order;
      await next.call("attach", { execution_id, epoch, from: 0 });
      assert.match(await next.turn(order, "recall key"), /cucumber/);
      const { shells } = linkMethods.shell_list.result.parse(
        await next.call("shell_list", { session_id }),
      );
      assert.deepEqual(
        shells.map(({ id, state }) => [id, state]),
        [[shell_id, "open"]],
      );
      await next.call("shell_close", { session_id, shell_id });
      await next.stop(order);
    }),
);
