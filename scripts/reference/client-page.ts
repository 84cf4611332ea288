/** The SDK's types as the compiler declares them, with their comments. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/client/client.ts";
import { run } from "../build/run.ts";

/** What is told, in this order. */
const parts = [
  ["Reprise", "client/sdk/reprise.d.ts"],
  ["Sessions", "client/sdk/session.d.ts"],
  ["Turns", "client/sdk/turn.d.ts"],
  ["What came of a prompt", "client/turn.d.ts"],
  ["Questions", "client/sdk/questions.d.ts"],
  ["Tasks", "client/sdk/task.d.ts"],
  ["Following", "client/feed.d.ts"],
  ["One connection for a page", "client/live/connection.d.ts"],
  ["A conversation from its newest window on", "session/view/window-fold.d.ts"],
] as const;

export const clientPage = async (root: string): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-reference-"));
  try {
    run(
      root,
      "tsc",
      "-p",
      "tsconfig.build.json",
      "--emitDeclarationOnly",
      "--outDir",
      directory,
    );
    const sections = await Promise.all(
      parts.map(async ([title, file]) => {
        const text = await readFile(join(directory, file), "utf8");
        return `## ${title}\n\n\`\`\`ts\n${declarations(text)}\n\`\`\`\n`;
      }),
    );
    return `# The client

<!-- Written by \`npm run docs:reference\` from the sources. -->

What \`reprise-client\` and \`reprise/client\` export, as the compiler declares it. How to use it: [the guide](../guide/sdk.md). The routes behind it: [rest.md](rest.md).

${sections.join("\n")}
## The plain client

\`reprise.client\`, or \`connect({ url, token })\` without the SDK, has a method for each route of [rest.md](rest.md), by the same name where there is one:

${Object.keys(connect({ url: "http://127.0.0.1" }))
  .filter((name) => name !== "url")
  .map((name) => `\`${name}\``)
  .join(", ")}.
`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** What the package does not export. */
const INTERNAL =
  /^export .*\b(Look|FinishedTurn|lookAt|questions|follow|followTask|openConnection)\b/m;

/** Without imports, what is exported elsewhere too, what is internal, and private members. */
const declarations = (text: string): string =>
  text
    .replaceAll(/^import [^;]*;\n/gm, "")
    .replaceAll(/^export (?:type )?\{[^}]*\}[^;]*;\n/gm, "")
    .replaceAll(/^export \* from [^;]*;\n/gm, "")
    .replaceAll(/^ +#private;\n/gm, "")
    .split(/\n(?=\/\*\*|export )/)
    .reduce<string[]>(withComments, [])
    .filter((part) => !INTERNAL.test(part))
    .join("\n")
    .trim();

/** A comment stays with what it is about. */
const withComments = (parts: readonly string[], part: string): string[] => {
  const before = parts.at(-1);
  return before?.startsWith("/**") === true && !/^export /m.test(before)
    ? [...parts.slice(0, -1), `${before}\n${part}`]
    : [...parts, part];
};
