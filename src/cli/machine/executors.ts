import type { ExecutorPlace } from "../../contract/session/executor-place.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { Palette } from "../terminal/palette.ts";
import { type Cell, table } from "../terminal/table.ts";

export const executors = command({
  name: "executors",
  summary: "List where agents can run: this machine and other hosts",
  about:
    "This machine, and the hosts that `executors` in config.json names, each asked now and for two seconds at most. SESSIONS is how many have an agent there, or wait for one.",
  args: [],
  options: {},
  examples: [
    "reprise executors",
    "reprise executors --json | jq -r '.places[] | select(.available).host'",
  ],
  async run(_, world) {
    const page = await (await world.client()).listExecutors();
    const { palette, columns } = world.out;
    answer(world, page, () =>
      table(
        [
          [
            "EXECUTOR",
            "HOST",
            "AVAILABLE",
            "SANDBOX",
            "SESSIONS",
            "ANSWERS",
            "BUILD",
          ].map((text) => ({ text, paint: palette.dim })),
          ...page.places.map((place) => row(place, palette)),
        ],
        columns,
      ),
    );
    return 0;
  },
});

const row = (place: ExecutorPlace, palette: Palette): Cell[] => [
  { text: oneLine(place.executor) },
  { text: oneLine(place.host ?? "-") },
  place.available
    ? { text: "yes", paint: palette.green }
    : { text: "no", paint: palette.red },
  { text: sandboxWord(place) },
  { text: String(place.sessions) },
  { text: place.latency_ms === null ? "-" : `${place.latency_ms} ms` },
  { text: oneLine(lastWords(place)) },
];

const sandboxWord = ({ sandbox }: ExecutorPlace): string =>
  sandbox === null ? "-" : sandbox.available ? "yes" : "no";

const lastWords = ({ why, build, arch }: ExecutorPlace): string => {
  if (why !== null) return why;
  if (build === null) return "not running; it is started when it is needed";
  return arch === null ? build : `${build}, ${arch}`;
};
