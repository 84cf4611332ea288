import assert from "node:assert/strict";
import { test } from "node:test";
import { turnMark } from "../conversation/fixtures/messages.ts";
import { aSession } from "../fixtures/samples.ts";
import { type CommandId, commandIds } from "./command-table.ts";
import { entryOf } from "./command-words.ts";
import { Commands } from "./commands.ts";
import { helpSections } from "./help-sections.ts";
import {
  catalogue,
  paletteGroups,
  type PaletteSources,
} from "./palette-items.ts";
import { keyCaps, press, type Pressed } from "./press.ts";

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  hasMod: false,
  hasModifier: false,
  isRepeat: false,
  where: "page",
  ...more,
});
const everywhere = () => true;
const commandOn = (
  given: Pressed,
  isThere: (id: CommandId) => boolean = everywhere,
) => {
  const does = press(given, null, isThere, 0);
  return does.kind === "command" ? does.id : null;
};

test("[PAG-301] what is above the screen is done before what the screen offers, also where the screen offers it anew", () => {
  const commands = new Commands();
  const done: string[] = [];
  const screen = commands.offer(["rewind"], () => done.push("screen"));
  const leave = commands.offer(["rewind"], () => done.push("card"), true);
  screen();
  commands.offer(["rewind"], () => done.push("screen"));
  commands.run("rewind");
  leave();
  commands.run("rewind");
  assert.deepEqual(done, ["card", "screen"]);
});

test("[PAG-191] [PAG-101] each key of the table does its command, and no two commands have one key", () => {
  const keys = commandIds.flatMap((id) => entryOf(id).keys ?? []);
  assert.equal(new Set(keys).size, keys.length);
  for (const id of commandIds) {
    const { keys } = entryOf(id);
    if (keys === undefined || /[ +]./.test(keys)) continue;
    assert.equal(commandOn(pressed(keys)), id);
    assert.equal(commandOn(pressed(keys.toLowerCase())), id);
  }
  assert.equal(
    commandOn(pressed("k", { hasMod: true, hasModifier: true })),
    "palette",
  );
  assert.equal(commandOn(pressed("1")), null);
});

test("[PAG-191] [PAG-101] keys do nothing where people write, in dialogs, with other keys, and where there is nothing to do", () => {
  assert.equal(commandOn(pressed("p", { where: "field" })), null);
  assert.equal(commandOn(pressed("p", { where: "closed" })), null);
  assert.equal(commandOn(pressed("p", { hasModifier: true })), null);
  assert.equal(
    commandOn(pressed("p", { hasModifier: true, hasMod: true })),
    null,
  );
  assert.equal(
    commandOn(pressed("p"), (id) => id !== "permission"),
    null,
  );
  assert.equal(commandOn(pressed("f", { isRepeat: true })), null);
  assert.equal(commandOn(pressed("j", { isRepeat: true })), "next_row");
  const mod = { hasMod: true, hasModifier: true };
  assert.equal(commandOn(pressed("k", { ...mod, where: "field" })), "palette");
  assert.equal(commandOn(pressed("k", { ...mod, where: "closed" })), null);
});

test("[PAG-191] G and then H lead home, if the second key comes soon", () => {
  const first = press(pressed("g"), null, everywhere, 1_000);
  assert.equal(first.kind, "begun");
  const begun = first.kind === "begun" ? first.begun : null;
  assert.deepEqual(press(pressed("h"), begun, everywhere, 2_000), {
    kind: "command",
    id: "home",
  });
  assert.equal(press(pressed("h"), begun, everywhere, 9_000).kind, "nothing");
  assert.deepEqual(press(pressed("c"), begun, everywhere, 1_500), {
    kind: "command",
    id: "new_session",
  });
});

test("[PAG-191] the help names every key of the table", () => {
  const told = helpSections().flatMap(({ rows }) =>
    rows.map(({ keys }) => keys),
  );
  for (const id of commandIds) {
    const { keys } = entryOf(id);
    if (keys !== undefined) assert.ok(told.includes(keys), keys);
  }
  for (const keys of ["Enter", "1–4"]) assert.ok(told.includes(keys));
  assert.deepEqual(keyCaps("Mod+K", true), ["⌘", "K"]);
  assert.deepEqual(keyCaps("Mod+K", false), ["Ctrl", "K"]);
});

test("[PAG-191] a screen's commands go before those of the page, and leave with it", () => {
  const commands = new Commands();
  const done: string[] = [];
  commands.offer(["search"], () => done.push("page"));
  const leave = commands.offer(["search", "next_row"], (id) =>
    done.push(`list ${id}`),
  );
  commands.run("search");
  assert.deepEqual(commands.get(), ["search", "next_row"]);
  leave();
  commands.run("search");
  commands.run("next_row");
  assert.deepEqual(done, ["list search", "page"]);
  assert.deepEqual(commands.get(), ["search"]);
});

test("[PAG-235] who shows commands is told when one comes or goes, and not when it only changes hands", () => {
  const commands = new Commands();
  const seen: string[] = [];
  commands.subscribe(() => seen.push(commands.get().join(" ")));
  const leave = commands.offer(["pause"], () => undefined);
  commands.offer(["search"], () => undefined);
  const other = commands.offer(["search"], () => undefined);
  other();
  leave();
  assert.deepEqual(seen, ["pause", "search pause", "search"]);
});

const sources = (more: Partial<PaletteSources> = {}): PaletteSources => ({
  commands: ["new_session", "home", "rewind", "recover", "next_row"],
  sessions: [
    aSession({ name: "Retry storms, one package" }),
    aSession({ name: "Self-hosting guide" }),
  ],
  tasks: [],
  agents: [{ id: "demo", name: "Demo", installed: true }],
  place: {
    id: "ses_open",
    line: [
      turnMark({ turn: 1, prompt: "Find out why" }),
      turnMark({ turn: 2, prompt: "Now fix it" }),
    ],
  },
  agentName: (agent) => agent,
  now: 0,
  ...more,
});
const found = (query: string, more: Partial<PaletteSources> = {}) =>
  paletteGroups(catalogue(sources(more)), query, {
    session: "ses_open",
    paths: query === "" ? [] : ["src/retry.ts"],
  }).map(({ name, items }) => [name, ...items.map(({ item }) => item.label)]);

test("[PAG-190] the palette finds commands, sessions, turns, files, agents and commands for a terminal", () => {
  assert.deepEqual(found(""), [
    ["This session", "Rewind", "Recover"],
    ["Sessions", "Retry storms, one package", "Self-hosting guide"],
    ["Go to", "New session", "Home"],
  ]);
  const byName = new Map(
    found("re").map(([name, ...labels]) => [name, labels]),
  );
  assert.deepEqual(byName.get("This session"), ["Rewind", "Recover"]);
  assert.deepEqual(byName.get("Sessions")?.[0], "Retry storms, one package");
  assert.deepEqual(byName.get("Files"), ["src/retry.ts"]);
  assert.equal(
    byName.get("Copy for a terminal")?.[0],
    "reprise session show ses_open",
  );
  assert.deepEqual(found("fix it")[0], [
    "Turns of this session",
    "2 Now fix it",
  ]);
  assert.deepEqual(
    found("demo").find(([name]) => name === "Agents"),
    ["Agents", "Demo"],
  );
  assert.deepEqual(
    found("resume", { place: null }).some(
      ([name]) => name === "Turns of this session",
    ),
    false,
  );
});

test("[PAG-190] what else can be done with a turn is what is not refused", () => {
  const turns = catalogue(
    sources({
      place: {
        id: "ses_open",
        line: [turnMark({ turn: 1, capture: "failed" })],
      },
    }),
  ).find(({ name }) => name === "Turns of this session");
  const labels = turns?.items[0]?.more.map(({ label }) => label) ?? [];
  assert.equal(labels[0], "Show");
  assert.ok(!labels.includes("Rewind to here"));
});

test("[PAG-192] [PAG-193] among 1,000 sessions the best are shown in a stable order, and how many more there are", () => {
  const sessions = Array.from({ length: 1_000 }, (_, i) =>
    aSession({ name: i === 900 ? "Upload fix" : `Fix of upload ${i}` }),
  );
  const all = catalogue(sources({ sessions }));
  const group = paletteGroups(all, "upl").find(
    ({ name }) => name === "Sessions",
  );
  assert.equal(group?.items[0]?.item.label, "Upload fix");
  assert.equal(group?.items[1]?.item.label, "Fix of upload 0");
  assert.equal(group?.items.length, 8);
  assert.equal(group?.hidden, 992);
  assert.deepEqual(paletteGroups(all, "upl"), paletteGroups(all, "upl"));
});
