/** One package of a registry: always the same files for the same number. */
import { Chance } from "./chance.ts";
import { type Kind, textOf } from "./text.ts";
import { vocabularyOf } from "./vocabulary.ts";

export interface PackageFile {
  /** In the package, such as `lib/parse/token.js`. */
  path: string;
  text: string;
}

/** Files in a package: most packages are small, few are large. */
export const fileCount = (number: number): number =>
  new Chance(`files of ${number}`).size(16, 900);

export function* packageFiles(number: number): Generator<PackageFile> {
  const chance = new Chance(`package ${number}`);
  const count = fileCount(number);
  const words = vocabularyOf(chance, 60 + count * 4);
  const draw = (kind: Kind): string =>
    textOf(kind, lengthOf(kind, chance), chance, words);
  // Many publish the same program twice, for two kinds of modules.
  const twice = chance.percent(30);
  yield { path: "package.json", text: draw("json") };
  yield { path: "README.md", text: draw("md") };
  yield { path: "LICENSE", text: license(chance) };
  for (let written = 3; written < count;) {
    const kind = kindOf(chance);
    const folder = `${words.names[Math.floor(written / 17)]}`;
    const name = `${words.names[chance.below(words.names.length)]}-${written}`;
    const text = draw(kind);
    yield { path: `lib/${folder}/${name}.${kind}`, text };
    written += 1;
    if (!twice || kind !== "js") continue;
    const modern = text.replaceAll("exports.", "export const ");
    yield { path: `esm/${folder}/${name}.js`, text: modern };
    written += 1;
  }
}

const kindOf = (chance: Chance): Kind => {
  const share = chance.below(100);
  if (share < 52) return "js";
  if (share < 70) return "js.map";
  if (share < 90) return "d.ts";
  if (share < 91) return "min.js";
  return share < 96 ? "json" : "md";
};

const lengthOf = (kind: Kind, chance: Chance): number => {
  switch (kind) {
    case "js.map":
      return chance.size(3600, 900_000);
    case "min.js":
      return chance.size(30_000, 900_000);
    case "js":
    case "d.ts":
    case "json":
    case "md":
      return chance.size(1300, 400_000);
  }
};

/** The same few texts everywhere, but for who signs them. */
const license = (chance: Chance): string => {
  const kind = chance.below(4);
  const text = new Chance(`license ${kind}`);
  const body = textOf("md", 1100, text, vocabularyOf(text, 80));
  return `Copyright (c) ${2010 + chance.below(15)} author ${chance.below(200)}\n\n${body}`;
};
