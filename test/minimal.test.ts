/** README's two commands on a machine that has nothing but what they need: a minimal Debian with Node 20. */
import assert from "node:assert/strict";
import { mkdtemp, realpath, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { minimalRoot } from "./minimal/base.ts";
import { MinimalMachine } from "./minimal/machine.ts";
import { whyNot } from "./minimal/prerequisites.ts";
import { patience } from "../src/kit/fixtures/patience.ts";
import { freshClone } from "./readme/fresh-clone.ts";
import { Running, runToEnd, type Surroundings } from "./readme/terminal.ts";

/** Debian's packages, Node and ours are downloaded the first time. */
const timeout = patience(600_000);
const skip = (await whyNot()) ?? false;

describe("[PKG-1] a minimal Debian with Node 20", { skip, timeout }, () => {
  let machine: MinimalMachine | undefined;
  let git: Program;
  let clone: Surroundings;

  before(
    async () => {
      const place = await realpath(await mkdtemp(join(tmpdir(), "minimal-")));
      const root = join(place, "root");
      machine = await MinimalMachine.start(await minimalRoot(), root);
      git = new Program(join(root, "usr/bin/git"));
      clone = machine.terminal("/srv/reprise");
      const repository = resolve(import.meta.dirname, "..");
      await freshClone(repository, join(root, "srv/reprise"));
    },
    { timeout },
  );
  after(() => machine?.stop());

  test("has no libatomic and no tools", async () => {
    assert.match(await typed("node --version"), /^v20\./);
    const wanted = "gcc python3 ps curl wget";
    const found = await typed(`command -v ${wanted} || true`);
    assert.equal(found, "");
    assert.equal(await typed("find / -xdev -name 'libatomic*'"), "");
  });

  test(
    "runs a server, whose session outlives a loss of power",
    { timeout },
    async (t) => {
      // Only the tests need it.
      await git.takeAway();
      await start(t, "npm install && npm start");
      const started = await typed(
        'bin/reprise session start "remember colour=teal" --follow',
      );
      assert.match(started, /^I will remember colour\.$/m);
      const [id] = /ses_\w+/.exec(started) ?? assert.fail(started);

      // All processes of the machine at once: the server, agentctl and the agent.
      await runToEnd("kill -KILL -1", clone);
      await start(t, "npm start");
      const recalled = await typed(
        `bin/reprise session prompt ${id} "recall colour" --follow`,
      );
      assert.match(recalled, /^── resumed, native: .*verified/m);
      assert.match(recalled, /^colour=teal$/m);
      await typed(`bin/reprise session end ${id}`);
    },
  );

  test("runs the tests", { timeout }, async () => {
    await git.bringBack();
    const printed = await typed("npm install && npm test -- src/kit");
    assert.match(printed, /^\d+ passed, 0 failed, 0 skipped$/m);
  });

  /** Types a command that must succeed; resolves with what it printed. */
  const typed = async (command: string): Promise<string> => {
    const { code, printed } = await runToEnd(command, clone);
    assert.equal(code, 0, `$ ${command}\n${printed}`);
    return printed;
  };

  /** Types a command that runs the server, on any free port, and waits until that is up. */
  const start = async (t: TestContext, command: string): Promise<void> => {
    const server = new Running(`${command} -- --port 0`, clone);
    t.after(() => server.signal("SIGKILL"));
    await server.until((printed) => /^Reprise is up: http:/m.test(printed));
  };
});

class Program {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  takeAway(): Promise<void> {
    return rename(this.#path, `${this.#path}.away`);
  }

  bringBack(): Promise<void> {
    return rename(`${this.#path}.away`, this.#path);
  }
}
