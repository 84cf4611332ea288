import { glob, readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import type { Violation } from "./check-imports.ts";

/** A rule is an item of a list in `docs/spec/` that begins with its id; a promise is one in `docs/proof.md`. */
const RULE = /^ *- \*\*((?:[A-Z]+-|P)\d+)\*\*/gm;
/** Tests bear ids in brackets, in their names, or as the `rule` of a case. */
const BORNE = /\[((?:[A-Z]+-|P)\d+[^\]\n]*)\]|\brule: "([A-Z]+-\d+)"/g;

/** Rules that no test bears, ids that two rules have, and tests of rules that are not written down. */
export const checkRules = async (root: string): Promise<Violation[]> => {
  const rules = new Map<string, string>();
  const violations: Violation[] = [];
  for await (const file of glob(["docs/spec/*.md", "docs/proof.md"], {
    cwd: root,
  }))
    for (const [, id = ""] of (await text(root, file)).matchAll(RULE))
      if (rules.has(id)) violations.push({ file, what: `has a second ${id}` });
      else rules.set(id, file);

  const series = new Set([...rules.keys()].map(seriesOf));
  const borne = new Set<string>();
  for await (const file of glob(
    ["{src,test,web}/**/*.test.ts", "{src,test,web}/**/fixtures/**/*.ts"],
    { cwd: root },
  ))
    for (const id of idsIn(await text(root, file))) {
      borne.add(id);
      if (series.has(seriesOf(id)) && !rules.has(id))
        violations.push({ file, what: `tests ${id}, which is not a rule` });
    }

  for (const [id, file] of rules)
    if (!borne.has(id))
      violations.push({ file, what: `no test bears the id ${id}` });
  return violations;
};

const text = (root: string, file: string): Promise<string> =>
  readFile(join(root, file), "utf8");

const idsIn = (source: string): Set<string> =>
  new Set(
    [...source.matchAll(BORNE)].flatMap(
      ([, names = "", rule = ""]) =>
        `${names} ${rule}`.match(/\b(?:[A-Z]+-|P)\d+\b/g) ?? [],
    ),
  );

const seriesOf = (id: string): string => id.replace(/\d+$/, "");
