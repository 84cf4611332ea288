import type { Collected, DiskUse } from "../contract/checkpoint-route.ts";
import { command } from "./command.ts";
import { answer } from "./print.ts";
import { oneLine } from "./sanitize.ts";
import { count } from "./text/age.ts";
import { size } from "./text/size.ts";
import { fields, table } from "./text/table.ts";
import type { World } from "./world.ts";

/** How many sessions are shown with what they take. */
const SHOWN = 10;

export const gc = command({
  name: "gc",
  summary: "Free what no session needs any more",
  about:
    "Keeps to `ttl_days`, `retention_days` and `trash_days` first, as config.json had them when the server started. Sessions go on meanwhile.",
  args: [],
  options: {
    "dry-run": { kind: "flag", help: "only say what would go" },
  },
  examples: ["reprise gc --dry-run", "reprise gc"],
  async run({ options }, world) {
    const client = await world.client();
    const done = await client.collectGarbage({ dry_run: options["dry-run"] });
    if (world.json) answer(world, done, () => "");
    else {
      const use = await client.showDiskUse();
      answer(world, done, () => collected(done) + diskTable(use, world));
    }
    return 0;
  },
});

const collected = (done: Collected): string => {
  const { dry_run, ended, deleted, purged } = done;
  const would = dry_run ? "would be " : "";
  const lines = [
    ...told(ended, `${would}ended: nobody used them for \`ttl_days\``),
    ...told(
      deleted,
      `${would}put into the trash: they ended \`retention_days\` ago`,
    ),
    ...told(
      purged,
      `${would}gone for good: \`trash_days\` in the trash are over`,
    ),
    `${size(done.freed_bytes)} ${would}freed, ${size(done.kept_bytes)} kept.\n`,
  ];
  return lines.join("");
};

const told = (sessions: readonly string[], what: string): string[] =>
  sessions.length === 0
    ? []
    : [
        `${count(sessions.length, "session")} ${what}\n`,
        ...sessions.map((id) => `  ${id}\n`),
      ];

/** The largest first. */
const diskTable = ({ sessions }: DiskUse, { out }: World): string => {
  if (sessions.length === 0) return "";
  const shown = sessions.slice(0, SHOWN).map((each) => [
    { text: `  ${each.id}` },
    { text: size(each.bytes) },
    {
      text: [
        each.name === null ? "" : oneLine(each.name),
        each.deleted_at === null ? "" : "(in the trash)",
      ]
        .join(" ")
        .trim(),
    },
  ]);
  const rest = sessions.length - shown.length;
  return [
    `\nWhat each session captured, before compression; what they share counts in each:\n`,
    table(shown, out.columns),
    rest === 0 ? "" : fields([["…", `and ${rest} more`]], out.palette.dim),
  ].join("");
};
