/**
 * The tables of `docs/agents.md`, made of what a run has shown. Each stands between two marks; what is around them is
 * written by hand and stays.
 *
 *   <!-- shown: acp -->
 *   |                    | Claude Code | Codex  |
 *   | ------------------ | ----------- | ------ |
 *   | paused and resumed | native      | native |
 *   <!-- /shown -->
 */
import { rows, type Row } from "./matrix.ts";

/** What a run has shown of one column: by row, what came of it. */
export type Shown = Partial<Record<Row, string>>;

const acp = {
  claude: "Claude Code",
  codex: "Codex",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
  copilot: "GitHub Copilot",
} as const;

const streamJson = {
  "claude-cli": "Claude Code",
  "codex-cli": "Codex",
} as const;

export type Column = keyof typeof acp | keyof typeof streamJson;

interface Table {
  mark: string;
  columns: Readonly<Record<string, string>>;
  rows: readonly Row[];
}

const tables: readonly Table[] = [
  { mark: "acp", columns: acp, rows: Object.keys(rows) as Row[] },
  {
    mark: "stream-json",
    columns: streamJson,
    rows: [
      "pause",
      "killMidStream",
      "unknownToken",
      "killAtPermission",
      "killDuringShell",
      "quota",
    ],
  },
];

/** The same document with the cells of this run in it; a cell that the run has nothing for stays as it is. */
export const withShown = (
  document: string,
  shown: Partial<Record<Column, Shown>>,
): string =>
  tables.reduce(
    (text, table) => withTable(text, table, new Map(Object.entries(shown))),
    document,
  );

const withTable = (
  document: string,
  { mark, columns, rows: own }: Table,
  shown: ReadonlyMap<string, Shown>,
): string => {
  const place = new RegExp(
    `(<!-- shown: ${mark} -->\\n)([\\s\\S]*?)(\\n<!-- /shown -->)`,
  );
  if (!place.test(document)) throw new Error(`no place is marked for ${mark}`);
  return document.replace(
    place,
    (_, before: string, old: string, after: string) => {
      const cells = cellsOf(old);
      const lines = own.map((row) => [
        rows[row],
        ...Object.entries(columns).map(
          ([id, title]) =>
            shown.get(id)?.[row] ?? cells.get(`${rows[row]} / ${title}`) ?? "–",
        ),
      ]);
      const table = [["", ...Object.values(columns)], ...lines];
      return `${before}\n${drawn(table)}\n${after}`;
    },
  );
};

/** By the names of row and column. */
const cellsOf = (table: string): Map<string, string> => {
  const [head = [], , ...body] = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    body.flatMap(([row, ...cells]) =>
      cells.map((cell, at) => [`${row} / ${head[at + 1]}`, cell] as const),
    ),
  );
};

/** As our formatter draws it, so that it need not draw it again. */
const drawn = (table: readonly string[][]): string => {
  const [head = [], ...body] = table;
  const widths = head.map((_, at) =>
    Math.max(3, ...table.map((line) => (line[at] ?? "").length)),
  );
  const draw = (line: readonly string[]): string =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...body].map(draw).join("\n");
};
