import { access, glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import * as z from "zod";
import type { Violation } from "./check-imports.ts";

const Package = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

/** Relative links of documents that lead nowhere. */
export const checkLinks = async (root: string): Promise<Violation[]> => {
  const violations: Violation[] = [];
  for await (const file of glob(["*.md", "docs/**/*.md"], { cwd: root })) {
    const document = await readFile(join(root, file), "utf8");
    for (const [, link = ""] of prose(document).matchAll(
      /\]\(([^)\s]+)[^)]*\)/g,
    )) {
      if (/^([a-z]+:|#)/.test(link)) continue;
      const [path = "", fragment] = link.split("#");
      const target = join(dirname(file), path);
      const missing = await access(join(root, target)).then(
        () => null,
        () => `links to ${link}, which is not there`,
      );
      const wrong =
        missing ??
        (fragment !== undefined && target.endsWith(".md")
          ? await missingHeading(join(root, target), fragment)
          : null);
      if (wrong !== null) violations.push({ file, what: wrong });
    }
  }
  return violations;
};

/** Files of the project that documents name and that are not there. */
export const checkPaths = async (root: string): Promise<Violation[]> => {
  const violations: Violation[] = [];
  for await (const file of glob(
    ["README.md", "CONTRIBUTING.md", "docs/**/*.md"],
    { cwd: root },
  )) {
    const document = await readFile(join(root, file), "utf8");
    const named = document.matchAll(
      /`((?:src|test|bench|scripts)\/[\w./-]+)`/g,
    );
    for (const [, path = ""] of named)
      await access(join(root, path)).catch(() =>
        violations.push({ file, what: `names ${path}, which is not there` }),
      );
  }
  return violations;
};

/** Packages that nobody gave a reason for, and reasons for packages that are gone. */
export const checkDependencies = async (root: string): Promise<Violation[]> => {
  const file = "docs/decisions/dependencies.md";
  const declared = Package.parse(
    JSON.parse(await readFile(join(root, "package.json"), "utf8")),
  );
  const names = Object.values(declared).flatMap((group) => Object.keys(group));
  const rows = (await readFile(join(root, file), "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const explained = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return [
    ...names
      .filter((name) => !explained.includes(name))
      .map((name) => ({ file, what: `${name} has no line` })),
    ...explained
      .filter((name) => !names.includes(name))
      .map((name) => ({ file, what: `${name} is not used any more` })),
  ];
};

const missingHeading = async (
  path: string,
  fragment: string,
): Promise<string | null> => {
  const headings = prose(await readFile(path, "utf8"))
    .split("\n")
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  return headings.includes(fragment)
    ? null
    : `links to #${fragment}, but no heading reads so`;
};

/** Without code: what looks like a link there is none. */
const prose = (document: string): string =>
  document.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
