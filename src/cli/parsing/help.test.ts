import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../commands.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { help, usage } from "./help.ts";
import { main } from "../main.ts";

for (const command of commands)
  test(`reprise ${command.name} --help says all there is to say`, async () => {
    const { world, out, err } = memoryWorld();
    const argv = [...command.name.split(" "), "--help"];
    assert.equal(await main(argv, world), 0);
    assert.equal(err(), "");
    const text = out();
    assert.ok(text.startsWith(`${usage(command)}\n\n${command.summary}.`));
    for (const { name, help: words } of command.args)
      assert.match(text, new RegExp(`^  ${name} +.*${escape(words)}`, "m"));
    for (const [name, option] of Object.entries(command.options))
      assert.match(
        text,
        new RegExp(`^  (-\\w, )?--${name}.* ${escape(option.help)}$`, "m"),
      );
    assert.match(text, /^ {2}--json /m);
    assert.match(text, /^ {2}-h, --help /m);
    assert.ok(command.examples.length > 0);
    for (const example of command.examples) {
      assert.ok(text.includes(`  $ ${example}\n`));
      assert.ok(example.includes(`reprise ${command.name}`));
    }
    for (const code of [0, 1, 2, 3, 4, 5])
      assert.match(text, new RegExp(`^  ${code} +\\S`, "m"));
    assert.match(command.summary, /^[A-Z].*[^.]$/);
  });

test("help of everything and of a group names every command in it", () => {
  const all = help("", commands);
  const group = help("session", commands);
  for (const { name, summary } of commands) {
    assert.match(all, new RegExp(`^  ${name}.* ${escape(summary)}$`, "m"));
    assert.equal(group.includes(`  ${name} `), name.startsWith("session "));
  }
});

test("help is found however it is asked for", async () => {
  for (const argv of [[], ["--help"], ["-h"], ["help"]]) {
    const { world, out } = memoryWorld();
    assert.equal(await main(argv, world), 0);
    assert.match(out(), /^reprise COMMAND\n/);
  }
  const { world, out } = memoryWorld();
  assert.equal(await main(["help", "session", "start"], world), 0);
  assert.match(out(), /^reprise session start \[PROMPT\]/);
});

test("a group without a command is answered with its help, exit 2", async () => {
  const { world, out, err } = memoryWorld();
  assert.equal(await main(["session"], world), 2);
  assert.equal(out(), "");
  assert.match(err(), /^reprise session COMMAND\n/);
});

test("--version and -v", async () => {
  for (const asked of ["--version", "-v"]) {
    const { world, out } = memoryWorld();
    assert.equal(await main([asked], world), 0);
    assert.equal(out(), "1.2.3\n");
  }
});

test("commands in help and in errors are shown as this one was called", async () => {
  const called = memoryWorld({ program: "bin/reprise" });
  assert.equal(await main(["session", "start", "--help"], called.world), 0);
  assert.match(called.out(), /^bin\/reprise session start \[PROMPT\]/);
  assert.match(called.out(), /\$ bin\/reprise session start "/);
  assert.match(called.out(), /\| bin\/reprise session start -/);
  assert.match(called.out(), /`bin\/reprise agents`/);
  assert.equal(await main(["sesion"], called.world), 2);
  assert.match(called.err(), /^reprise: .*`bin\/reprise session`/);
});

test("examples name only agents that everybody has", () => {
  for (const { name, examples } of commands)
    for (const example of examples)
      assert.match(
        /--agent (\S+)/.exec(example)?.[1] ?? "demo",
        /^demo(-inject|-fresh)?$/,
        name,
      );
});

const escape = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

test("[API-124] help of a resume says what becomes of permissions that are not named", () => {
  const text = help("session resume", commands);
  assert.match(text, /--permissions .*without them nothing changes/);
  assert.doesNotMatch(text, /ask unless given/);
  assert.match(help("session start", commands), /ask unless given/);
});
