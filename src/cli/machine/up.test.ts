import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { main } from "../main.ts";
import type { ServeOptions } from "../terminal/world.ts";

const serving = (agentsRunning: number) => {
  const asked: ServeOptions[] = [];
  const isUp = Promise.withResolvers<void>();
  const superseded = Promise.withResolvers<void>();
  const homeRemoved = Promise.withResolvers<void>();
  const made = memoryWorld({
    onSignal: (listen) => {
      const stop = base.world.onSignal(listen);
      isUp.resolve();
      return stop;
    },
    programs: {
      executable: "/nowhere/reprise",
      mcp: () => Promise.reject(new Error("no MCP here")),
      agentctl: () => Promise.reject(new Error("not asked for")),
      host: () => Promise.reject(new Error("not asked for")),
      acp: () => Promise.reject(new Error("no editor here")),
      serve: (options) => {
        asked.push(options);
        return Promise.resolve({
          url: "http://127.0.0.1:7420",
          home: options.home,
          recovered: Promise.resolve({ running: 2 }),
          superseded: superseded.promise,
          homeRemoved: homeRemoved.promise,
          close: () => Promise.resolve({ agentsRunning }),
        });
      },
    },
  });
  const base = memoryWorld();
  return {
    ...made,
    asked,
    isUp: isUp.promise,
    signal: base.signal,
    supersede: superseded.resolve,
    removeHome: homeRemoved.resolve,
  };
};

test("up prints the address, and on Ctrl-C what goes on running", async () => {
  const { world, out, asked, isUp, signal } = serving(3);
  const ended = main(["up", "--port", "7421", "--recovery", "lazy"], world);
  await isUp;
  assert.equal(
    out(),
    "Reprise is up: http://127.0.0.1:7420\n2 agents found running.\n",
  );
  signal("SIGINT");
  assert.equal(await ended, 0);
  assert.match(
    out(),
    /\n3 agents go on running; `reprise up` finds them again\.\n$/,
  );
  assert.partialDeepStrictEqual(asked, [
    { home: "/home/of/reprise", port: 7421, recovery: "lazy" },
  ]);
});

test("up --home is taken from here; one agent is not several", async () => {
  const { world, out, asked, isUp, signal } = serving(1);
  const ended = main(["up", "--home", "try", "--no-open"], world);
  await isUp;
  signal("SIGTERM");
  assert.equal(await ended, 0);
  assert.match(out(), /1 agent goes on running; `reprise up` finds it again/);
  assert.equal(asked[0]?.home, "/somewhere/try");
});

test("up --json prints a document when it is up, one when agents are found, and one when it is down", async () => {
  const { world, out, isUp, signal } = serving(0);
  const ended = main(["up", "--json"], world);
  await isUp;
  signal("SIGINT");
  await ended;
  const [first, second, third] = out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(first.url, "http://127.0.0.1:7420");
  assert.deepEqual(second, { agents_running: 2 });
  assert.deepEqual(third, { agents_running: 0 });
});

test("a home that another server holds is refused with 4", async () => {
  const held = new RepriseError("home_held", "held by process 7");
  const { world, err } = memoryWorld({
    programs: {
      executable: "/nowhere/reprise",
      mcp: () => Promise.reject(new Error("no MCP here")),
      agentctl: () => Promise.reject(held),
      host: () => Promise.reject(held),
      acp: () => Promise.reject(new Error("no editor here")),
      serve: () => Promise.reject(held),
    },
  });
  assert.equal(await main(["up"], world), 4);
  assert.equal(err(), "reprise: held by process 7\n");
});

test("[REC-11] up says that another server has taken over, and ends", async () => {
  const { world, err, isUp, supersede } = serving(1);
  const ended = main(["up"], world);
  await isUp;
  supersede();
  assert.equal(await ended, 4);
  assert.match(err(), /has taken over this home/);
});

test("[REC-27] up says that its home was removed, and ends with 1; what it is told meanwhile it prints", async () => {
  const { world, err, asked, isUp, removeHome } = serving(0);
  const ended = main(["up"], world);
  await isUp;
  asked[0]?.tell?.("The home is not there any more.");
  removeHome();
  assert.equal(await ended, 1);
  assert.match(
    err(),
    /^reprise: The home is not there any more\.\nreprise: .*was removed/,
  );
});
