import assert from "node:assert/strict";
import { once } from "node:events";
import {
  mkdir,
  readdir,
  readFile,
  stat,
  realpath,
  writeFile,
} from "node:fs/promises";
import { request } from "node:http";
import { test } from "node:test";
import * as z from "zod";
import { Abilities } from "../contract/agent/agent.ts";
import { linkMethods } from "../contract/link/link.ts";
import { Daemon } from "./fixtures/daemon.ts";
import { withBench } from "./fixtures/bench.ts";
import { TestLink } from "./fixtures/test-link.ts";
import { textOfFrame } from "./link/connection.ts";

test("[LNK-1] [CHK-27] a second agentctl in the same home says so and exits with code 3", () =>
  withBench(async (bench) => {
    const second = Daemon.spawn(bench.home, `${bench.home}/b.sock`);
    const words = await second.stderr();
    assert.deepEqual(await second.exited, [3, null]);
    assert.match(words, /another agentctl is running/);
    await assert.rejects(stat(`${bench.home}/b.sock`));
    const modes = (await readdir(`${bench.home}/agentctl`)).map(
      async (name) => [
        name,
        (await stat(`${bench.home}/agentctl/${name}`)).mode & 0o077,
      ],
    );
    for (const [name, others] of await Promise.all(modes))
      assert.equal(others, 0, `${name}`);
    await bench.link();
  }));

test("[LNK-2] without the token nothing is answered; the socket is ours alone", () =>
  withBench(async (bench) => {
    await assert.rejects(TestLink.open(bench.socketPath, "wrong"), /401/);
    const health = (authorization: string) =>
      new Promise((resolve, reject) => {
        const { socketPath } = bench;
        request({ socketPath, path: "/health", headers: { authorization } })
          .on("response", (response) => resolve(response.statusCode))
          .on("error", reject)
          .end();
      });
    assert.equal(await health("Bearer wrong"), 401);
    assert.equal(await health(`Bearer ${bench.token}`), 200);
    assert.equal((await stat(bench.socketPath)).mode & 0o777, 0o600);
  }));

test("[LNK-2] a token file that holds no token is left as it is, and agentctl does not start", () =>
  withBench(async (bench) => {
    const home = `${bench.home}/other`;
    await mkdir(`${home}/agentctl`, { recursive: true, mode: 0o700 });
    await writeFile(`${home}/agentctl/token`, "", { mode: 0o600 });
    const daemon = Daemon.spawn(home, `${bench.home}/b.sock`);
    const words = await daemon.stderr();
    assert.deepEqual(await daemon.exited, [1, null]);
    assert.match(words, /token does not hold a token\. Remove the file/);
    assert.equal(words.trim().split("\n").length, 1, "one sentence, no trace");
    assert.equal(await readFile(`${home}/agentctl/token`, "utf8"), "");
    await assert.rejects(stat(`${bench.home}/b.sock`));
  }));

test("[LNK-3] hello comes first", () =>
  withBench(async (bench) => {
    const link = await TestLink.open(bench.socketPath, bench.token);
    await assert.rejects(link.call("executions", {}), {
      code: "term_superseded",
    });
    link.drop();
  }));

test("[LNK-4] a server of another protocol is told so", () =>
  withBench(async (bench) => {
    const link = await TestLink.open(bench.socketPath, bench.token);
    const hello = { protocol: { min: 7, max: 9 }, build: "t", term: 1 };
    await assert.rejects(link.call("hello", hello), {
      code: "incompatible_protocol",
    });
    link.drop();
  }));

test("[P4] [LNK-5] [LNK-6] [LNK-7] a higher term closes older links and is remembered", () =>
  withBench(async (bench) => {
    const old = await bench.link(4);
    const closed = once(old.socket, "close");
    const next = await bench.link(5);
    await closed;
    assert.equal(
      (await readFile(`${bench.home}/agentctl/term`, "utf8")).trim(),
      "5",
    );
    await assert.rejects(bench.link(4), { code: "term_superseded" });
    next.drop();
    await bench.down();
    await bench.up();
    await assert.rejects(bench.link(4), { code: "term_superseded" });
    await bench.link(5);
  }));

test("[LNK-33] what does not fit the contract is refused, and the link stays", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    await assert.rejects(link.call("prompt", {}), { code: "invalid_params" });
    await assert.rejects(link.call("start", bench.order("nobody")), {
      code: "unknown_agent",
    });
    const unknown = bench.order("demo");
    await assert.rejects(link.prompt(unknown, "hello"), {
      code: "unknown_execution",
    });
    link.socket.send("{");
    for (const method of ["toString", "levitate"])
      await assert.rejects(link.call(method, {}), { code: "unknown_method" });
    assert.deepEqual(await link.call("workspace", { path: bench.home }), {
      kind: "directory",
      real: await realpath(bench.home),
    });
    assert.deepEqual(await link.call("workspace", { path: "/nowhere" }), {
      kind: "missing",
    });
  }));

test("[LNK-52] agentctl says what it can do for a session", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { cwd } = bench.order("demo");
    assert.deepEqual(await link.call("probe", { agent: "demo", cwd }), {
      supports_session_resume: true,
      supports_workspace_only: true,
    });
    const gone = { agent: "demo-fresh", cwd: `${cwd}/gone` };
    assert.deepEqual(await link.call("probe", gone), {
      supports_session_resume: false,
      supports_workspace_only: false,
    });
    const override = { native_session_resume: false };
    assert.deepEqual(
      await link.call("probe", { agent: "demo", override, cwd }),
      {
        supports_session_resume: false,
        supports_workspace_only: true,
      },
    );
  }));

test("the agents of this place are listed, installed or not", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const overrides = { ghost: { command: ["/nowhere/ghost"] } };
    const answer = await link.call("agents", { overrides });
    const { agents } = linkMethods.agents.result.parse(answer);
    const installed = new Map(agents.map((it) => [it.id, it.installed]));
    assert.equal(installed.get("demo"), true);
    assert.equal(installed.get("ghost"), false);
  }));

test("[LNK-60] agents are looked for with the environment that they would get, not with agentctl's own", () =>
  withBench(async (bench) => {
    const program = `${bench.home}/mine`;
    await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
    const link = await bench.link();
    const seen = async (env?: Record<string, string>) => {
      const overrides = { mine: { command: ["mine"] } };
      const order = { overrides, ...(env && { env }) };
      const { agents } = linkMethods.agents.result.parse(
        await link.call("agents", order),
      );
      const find = (id: string) => agents.find((each) => each.id === id);
      return [find("mine")?.installed, find("gemini")?.login];
    };
    const person = { PATH: bench.home, HOME: bench.home };
    assert.deepEqual(await seen(person), [true, "unknown"]);
    assert.deepEqual(await seen({ ...person, GEMINI_API_KEY: "k" }), [
      true,
      "yes",
    ]);
    assert.equal((await seen())[0], false);
  }));

test("[API-137] an agent that a project brings is listed as found there", () =>
  withBench(async (bench) => {
    const bin = `${bench.home}/node_modules/.bin`;
    await mkdir(bin, { recursive: true });
    await writeFile(`${bin}/gemini`, "#!/bin/sh\n", { mode: 0o755 });
    const link = await bench.link();
    const found = async (order: { cwd?: string }) => {
      const env = { PATH: "/nowhere", HOME: bench.home };
      const answer = await link.call("agents", {
        overrides: {},
        env,
        ...order,
      });
      const { agents } = linkMethods.agents.result.parse(answer);
      return agents.find(({ id }) => id === "gemini")?.found;
    };
    assert.equal(await found({}), null);
    assert.equal(await found({ cwd: `${bench.home}/src` }), "project");
  }));

test("[LNK-25] the agent gets the environment of the order and nothing of ours", () =>
  withBench(async (bench) => {
    process.env["REPRISE_TEST_SECRET"] = "ours";
    const link = await bench.link();
    const order = bench.order("demo");
    order.env["GIVEN"] = "s3cret";
    await link.call("start", order);
    await link.turn(order, "run env > env.txt");
    const env = await readFile(`${bench.home}/env.txt`, "utf8");
    assert.match(env, /^GIVEN=s3cret$/m);
    assert.match(
      env,
      new RegExp(`^REPRISE_EXECUTION=${order.execution_id}$`, "m"),
    );
    assert.match(
      env,
      new RegExp(`^REPRISE_SESSION_ID=${order.session_id}$`, "m"),
    );
    assert.doesNotMatch(env, /REPRISE_TEST_SECRET|npm_/);
    for (const file of [
      bench.path(order, "journal"),
      `${bench.home}/agentctl/agentctl.log`,
    ])
      assert.doesNotMatch(await readFile(file, "utf8"), /s3cret/);
  }));

test("[LNK-30] forget removes the files of an execution that has ended, and only that", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    const { execution_id, epoch } = order;
    await link.call("start", order);
    await link.wait(order, "ready");
    await assert.rejects(link.call("forget", { execution_id, epoch }));
    await link.stop(order);
    await link.call("forget", { execution_id, epoch });
    await assert.rejects(stat(bench.path(order, "journal")));
    await assert.rejects(
      link.call("attach", { execution_id, epoch, from: 0 }),
      { code: "unknown_execution" },
    );
  }));

test("[LNK-97] ready says what servers of older releases need to understand it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const frames: string[] = [];
    link.socket.on("message", (data) => frames.push(textOfFrame(data)));
    const order = bench.order("demo");
    await link.call("start", order);
    const { abilities } = await link.wait(order, "ready");
    assert.ok(!("fork" in abilities), "nobody else hears of it");
    const ready = frames
      .map((frame) => OlderReport.safeParse(JSON.parse(frame)).data)
      .flatMap((each) => each?.report.items ?? [])
      .find((item) => item.kind === "ready");
    const older = Abilities.extend({ fork: z.boolean() }).parse(
      ready?.["abilities"],
    );
    assert.deepEqual(older, { ...abilities, fork: false });
  }));

const OlderReport = z.object({
  report: z.object({ items: z.array(z.looseObject({ kind: z.string() })) }),
});
