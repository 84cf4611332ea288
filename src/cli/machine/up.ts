import { join, resolve } from "node:path";
import { RepriseError } from "../../contract/problem/problem.ts";
import { command } from "../parsing/command.ts";
import { homeOf } from "../../local/home.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { linkWithCode, linkWithToken } from "../../local/page-link.ts";
import { browserIn, openLink } from "./browser.ts";
import { answer } from "../terminal/print.ts";
import { count } from "../terminal/age.ts";
import type { Served, World } from "../terminal/world.ts";

export const up = command({
  name: "up",
  summary: "Run the server",
  about: "Ctrl-C stops it; agents go on running and are found again.",
  args: [],
  options: {
    port: {
      kind: "number",
      value: "N",
      max: 65_535,
      help: "default 7420; 0 takes a free one",
    },
    host: { kind: "text", value: "H", help: "default 127.0.0.1" },
    home: {
      kind: "text",
      value: "DIR",
      help: "where everything is kept; default REPRISE_HOME or ~/.reprise",
    },
    recovery: {
      kind: "text",
      value: "WHEN",
      choices: ["all", "startup", "lazy", "off"],
      help: "whose agents the server brings back when it starts: startup, of turns that were cut off (default); all, also of sessions that wait for input; lazy, none until somebody asks; off, none, and nothing that still runs is touched",
    },
    "take-over": {
      kind: "flag",
      help: "end the server that holds the home, frozen or not, and take its place",
    },
    "no-open": {
      kind: "flag",
      help: "do not open the page in a browser",
    },
  },
  examples: ["reprise up", "reprise up --port 7421 --home /tmp/try"],
  exits: { 4: "another server holds this home" },
  async run({ options }, world) {
    const { port, host, recovery } = options;
    const served = await world.programs.serve({
      home:
        options.home === undefined
          ? homeOf(world)
          : resolve(world.cwd, options.home),
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
      ...(recovery === undefined ? {} : { recovery }),
      ...(options["take-over"] ? { takeOver: true } : {}),
      tell: (words) => warn(world, words),
    });
    answer(world, { url: served.url, home: served.home }, () =>
      greeting(served),
    );
    for (const words of served.warnings ?? []) warn(world, words);
    if (world.out.isTerminal && !world.json)
      await showPage(world, served, { open: !options["no-open"] });
    void served.recovered.then(({ running }) => {
      if (running > 0)
        answer(world, { agents_running: running }, () => found(running));
    });
    const why = await Promise.race([
      askedToStop(world),
      served.superseded.then(() => "superseded" as const),
      served.homeRemoved.then(() => "removed" as const),
    ]);
    const { agentsRunning } = await served.close();
    if (why === "superseded")
      throw new RepriseError(
        "superseded",
        "Another server has taken over this home; this one has stopped. Agents go on running.",
      );
    if (why === "removed")
      throw new RepriseError(
        "storage_unavailable",
        `The home ${served.home} was removed while the server ran, with every session in it; the server has stopped. \`reprise up\` makes a new one.`,
      );
    answer(world, { agents_running: agentsRunning }, () =>
      farewell(agentsRunning, world.program),
    );
    return 0;
  },
});

const warn = ({ err }: World, words: string): void =>
  err.write(`${err.palette.yellow("reprise:")} ${words}\n`);

const greeting = ({ url }: Served): string => `Reprise is up: ${url}`;

/** For the person at the terminal alone: a token must not land in a log. */
const showPage = async (
  world: World,
  { url, home }: Served,
  { open }: { open: boolean },
): Promise<void> => {
  const token = await readOurs(join(home, "token")).catch(() => null);
  if (token === null) return;
  const address = { url, token: token.trim() };
  world.out.write(`The page: ${linkWithToken(address)}\n`);
  const browser = open ? browserIn(world.env, process.platform) : null;
  if (browser === null) return;
  // Nobody waits for it, and nothing depends on it.
  void linkWithCode(address)
    .then((link) => openLink(browser, link, world.env))
    .catch(() => undefined);
};

const found = (running: number): string =>
  `${count(running, "agent")} found running.`;

const farewell = (running: number, program: string): string => {
  if (running === 0) return "No agents are running.";
  return running === 1
    ? `1 agent goes on running; \`${program} up\` finds it again.`
    : `${running} agents go on running; \`${program} up\` finds them again.`;
};

/** The first signal asks to close; after it signals do again what they do by themselves, so a second one ends it at once. */
const askedToStop = (world: World): Promise<"asked"> =>
  new Promise((done) => {
    const stopListening = world.onSignal((signal) => {
      stopListening();
      // A terminal shows `^C` without ending the line.
      if (signal === "SIGINT" && world.err.isTerminal) world.err.write("\n");
      done("asked");
    });
  });
