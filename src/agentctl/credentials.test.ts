import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { codex } from "../agents/codex.ts";
import { digestsOf, isSame } from "./credentials.ts";
import { withBench } from "./fixtures/bench.ts";

const digests = (env: Record<string, string>, key = "k") =>
  digestsOf(key, codex, env);

test("[LNK-67] credentials differ where a variable of the agent's login has another value", () => {
  const before = digests({ OPENAI_API_KEY: "1", PATH: "/bin" });
  const same = (env: Record<string, string>) => isSame(before, digests(env));
  assert.equal(same({ OPENAI_API_KEY: "1", PATH: "/other" }), true);
  assert.equal(same({ OPENAI_API_KEY: "2" }), false);
  assert.equal(same({ OPENAI_API_KEY: "1", CODEX_API_KEY: "3" }), false);
  assert.equal(same({}), true, "what is not there is no difference");
  assert.equal(same({ OPENAI_API_KEY: "" }), true);
  assert.equal(isSame({}, digests({ OPENAI_API_KEY: "1" })), false);
});

test("[LNK-67] a digest tells nothing without the key", () => {
  const digest = digests({ OPENAI_API_KEY: "1" })["OPENAI_API_KEY"];
  assert.notEqual(digest, undefined);
  assert.notEqual(
    digest,
    digests({ OPENAI_API_KEY: "1" }, "other")["OPENAI_API_KEY"],
  );
  assert.notEqual(
    digest,
    digests({ CODEX_API_KEY: "1" })["CODEX_API_KEY"],
    "the same value elsewhere",
  );
});

test("[LNK-67] an agentctl that adopts an execution knows whether its credentials are the same", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const demo = bench.order("demo");
    const override = {
      command: [process.execPath, "-e", "process.stdin.resume()"],
    };
    const order = {
      ...bench.order("auggie", { override }),
      env: { ...demo.env, AUGMENT_API_TOKEN: "hush-4711" },
    };
    await link.call("start", order);
    await bench.untilJournal(order, "launched");
    const { execution_id, epoch } = order;
    const answers = async (over: typeof link) => {
      const ask = (value: string) =>
        over.call("credentials", {
          execution_id,
          epoch,
          env: { AUGMENT_API_TOKEN: value },
        });
      return [await ask("hush-4711"), await ask("another")];
    };
    const told = [{ same: true }, { same: false }];
    assert.deepEqual(await answers(link), told);
    await bench.down();
    await bench.up();
    assert.deepEqual(await answers(await bench.link(2)), told);
    const journal = await readFile(bench.path(order, "journal"), "utf8");
    assert.doesNotMatch(journal, /hush-4711/);
  }));
