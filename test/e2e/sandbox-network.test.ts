/** What a session in a sandbox reaches over the network. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { say, type Server, TestHouse } from "./house.ts";
import { sh, skip, startIn } from "./sandboxes.ts";

const noticesOf = async (client: Client, session: string) => {
  const { events } = await client.listEvents(session);
  const notices = events.flatMap((event) =>
    event.type === "session.notice" ? [event.data.text] : [],
  );
  return { notices };
};

describe("the network of a sandbox", { skip }, () => {
  let house: TestHouse;
  let server: Server;
  before(async () => {
    house = await TestHouse.make();
    server = await house.up();
  });
  after(() => house[Symbol.asyncDispose]());

  const start = (more?: Partial<CreateSessionInput>) =>
    startIn(server.client, house.workspace, more);
  const ranIn = (id: string, script: string) =>
    server.client.execCommand(id, { argv: sh(script) });

  test("[SBX-7] the network is there, or is not", async (t) => {
    const listener = createServer((_, answer) => answer.end("reached"));
    await new Promise<void>((resolve) =>
      listener.listen(0, "127.0.0.1", resolve),
    );
    t.after(() => listener.close());
    // It listens on an address.
    const { port } = listener.address() as AddressInfo;
    const script = `node -e 'fetch("http://127.0.0.1:${port}").then(async (it) => console.log(await it.text()), () => console.log("nothing"))'`;
    const withNetwork = async (network: "on" | "off") =>
      (await ranIn(await start({ sandbox: { network } }), script)).stdout;
    assert.equal(await withNetwork("on"), "reached\n");
    assert.equal(await withNetwork("off"), "nothing\n");
  });

  test("[SBX-20] [SBX-21] [SBX-22] [SBX-23] a list of hosts is all that is reached, refusals are told, and it is there again with the next agentctl", async (t) => {
    const listener = createServer((_, answer) => answer.end("reached"));
    await new Promise<void>((resolve) =>
      listener.listen(0, "127.0.0.1", resolve),
    );
    t.after(() => listener.close());
    const { port } = listener.address() as AddressInfo;
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `*.invalid`];
    const id = await start({ sandbox: { network: "list", hosts } });
    const asked = `
      const { Agent, request } = await import("node:http");
      const proxy = new URL(process.env.HTTP_PROXY);
      const ask = (more) => new Promise((told) => {
        const agent = new Agent(); // This one looks for no proxy.
        const asked = request({ host: proxy.hostname, port: proxy.port, agent, ...more });
        asked.on("response", (it) => { it.on("data", (text) => told(it.statusCode + " " + String(text).slice(0, 12))); });
        asked.on("connect", (it, socket) => { told("tunnel " + it.statusCode); socket.destroy(); });
        asked.on("error", (error) => told(error.code));
        asked.end();
      });
      const plain = (path) => ask({ path });
      const tunnel = (path) => ask({ method: "CONNECT", path });
      console.log(await plain("http://127.0.0.1:${port}/"));
      console.log(await plain("http://localhost:${port}/"));
      console.log(await tunnel("127.0.0.1:${port}"));
      console.log(await tunnel("127.0.0.1:${new URL(server.url).port}"));
      console.log(await plain("http://example.org/"));
      console.log(await tunnel("nobody.invalid:443"));
      const { connect } = await import("node:net");
      const direct = connect(${port}, "127.0.0.1");
      direct.on("connect", () => console.log("direct"));
      direct.on("error", () => console.log("no direct way"));
    `;
    const wanted = [
      "200 reached",
      "200 reached",
      "tunnel 200",
      "tunnel 403",
      "403 This host is",
      "tunnel 403",
      "no direct way",
      "",
    ].join("\n");
    const ran = await server.client.execCommand(id, {
      argv: ["node", "--input-type=module", "-e", asked],
    });
    assert.deepEqual([ran.stdout, ran.stderr], [wanted, ""]);

    const program = join(house.workspace, "ask.mjs");
    await writeFile(program, asked);
    const byAgent = async (out: string) => {
      await say(server.client, id, `run /proc/$PPID/exe ask.mjs >${out} 2>&1`);
      return readFile(join(house.workspace, out), "utf8");
    };
    assert.equal(await byAgent("before"), wanted);
    const page = join(house.workspace, "page.mjs");
    await writeFile(
      page,
      `console.log(await (await fetch("http://127.0.0.1:${port}/")).text())`,
    );
    await say(server.client, id, "run /proc/$PPID/exe page.mjs >page 2>&1");
    const fetched = await readFile(join(house.workspace, "page"), "utf8");
    assert.equal(fetched, "reached\n", "by whatever looks for a proxy");
    const { notices } = await noticesOf(server.client, id);
    assert.ok(notices.some((text) => text.includes("example.org:80")));
    await endDaemon(house.home);
    assert.equal(await byAgent("after"), wanted);
    await server.client.pauseSession(id);
    assert.deepEqual(
      await readdir(join(house.home, "agentctl", "proxies")),
      [],
    );
  });
});
