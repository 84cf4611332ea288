/** Files as a package registry has them: programs, their types, their source maps, data and prose. */
import type { Chance } from "./chance.ts";
import { capital, type Vocabulary } from "./vocabulary.ts";

export type Kind = "js" | "d.ts" | "js.map" | "min.js" | "json" | "md";

/** About so many characters of a kind. */
export const textOf = (
  kind: Kind,
  length: number,
  chance: Chance,
  words: Vocabulary,
): string => {
  const line = LINES[kind];
  const parts: string[] = [HEADS[kind]];
  let written = 0;
  while (written < length) {
    const text = line(chance, words);
    parts.push(text);
    written += text.length;
  }
  parts.push(TAILS[kind]);
  return parts.join("");
};

type Line = (chance: Chance, words: Vocabulary) => string;

const name: Line = (chance, { names }) =>
  names[chance.fewBelow(names.length)] ?? "";
const sentence: Line = (chance, { sentences }) =>
  sentences[chance.fewBelow(sentences.length)] ?? "";
const number = (chance: Chance): string =>
  String(chance.percent(70) ? chance.below(4) : chance.below(5000));

const value: Line = (chance, words) => {
  switch (chance.below(9)) {
    case 0:
      return number(chance);
    case 1:
      return `"${name(chance, words)}"`;
    case 2:
      return `${name(chance, words)}(${name(chance, words)}, ${number(chance)})`;
    case 3:
      return `${name(chance, words)}.${name(chance, words)}`;
    case 4:
      return `this.${name(chance, words)}`;
    case 5:
      return `${name(chance, words)}.length`;
    case 6:
      return `new ${capital(name(chance, words))}(${name(chance, words)})`;
    case 7:
      return `${name(chance, words)} || {}`;
    default:
      return name(chance, words);
  }
};

const statement: Line = (chance, words) => {
  const one = name(chance, words);
  const other = name(chance, words);
  switch (chance.below(14)) {
    case 0:
      return `  // ${sentence(chance, words)}.\n`;
    case 1:
      return `  const ${one} = ${value(chance, words)};\n`;
    case 2:
      return `  if (${one} === ${value(chance, words)}) {\n    return ${value(chance, words)};\n  }\n`;
    case 3:
      return `  for (let i = 0; i < ${one}.length; i++) {\n    ${other}.push(${one}[i]);\n  }\n`;
    case 4:
      return `  ${one}.${other} = ${value(chance, words)};\n`;
    case 5:
      return `}\n\nfunction ${one}(${other}, ${name(chance, words)}) {\n`;
    case 6:
      return `  ${one}(${other}, ${value(chance, words)});\n`;
    case 7:
      return `  throw new Error("${sentence(chance, words)}: " + ${one});\n`;
    case 8:
      return `}\n\n/**\n * ${sentence(chance, words)}.\n * @param {${capital(other)}} ${one} ${sentence(chance, words)}\n * @returns {${capital(one)}}\n */\nexports.${other} = function ${other}(${one}) {\n`;
    case 9:
      return `  var _${one} = require("./${other}");\n`;
    case 10:
      return `  if (!${one}) return;\n`;
    case 11:
      return `  return ${value(chance, words)};\n`;
    case 12:
      return `  case "${one}":\n    ${other} = ${value(chance, words)};\n    break;\n`;
    default:
      return `  let ${one} = ${other} ? ${value(chance, words)} : ${value(chance, words)};\n`;
  }
};

const dense: Line = (chance, words) =>
  statement(chance, words).replaceAll(/\s+/g, " ").replace("// ", "");

const declaration: Line = (chance, words) => {
  const one = name(chance, words);
  const Type = capital(name(chance, words));
  switch (chance.below(5)) {
    case 0:
      return `  /** ${sentence(chance, words)}. */\n`;
    case 1:
      return `  ${one}?: ${Type};\n`;
    case 2:
      return `  ${one}(${name(chance, words)}: ${Type}): void;\n`;
    case 3:
      return `}\nexport interface ${Type} extends ${capital(one)} {\n`;
    default:
      return `  readonly ${one}: ${Type} | undefined;\n`;
  }
};

const BASE64 =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digit = (chance: Chance): string => BASE64.charAt(chance.fewBelow(48));
/** Where a map says what came from where: short and nearly, not quite, the same all the time. */
const mapping: Line = (chance) => {
  const column = digit(chance);
  if (chance.percent(12)) return ";";
  if (chance.percent(55)) return `,${column}AAA${digit(chance)}`;
  return `,${column}A${chance.pick(["A", "C", "D", "E"])}${digit(chance)}${chance.percent(40) ? digit(chance) : ""}`;
};

const LINES: Record<Kind, Line> = {
  js: statement,
  "d.ts": declaration,
  "js.map": (chance, words) =>
    chance.percent(4)
      ? `","${statement(chance, words).replaceAll("\n", "\\n").repeat(1)}`
      : mapping(chance, words),
  "min.js": dense,
  json: (chance, words) =>
    `  "${name(chance, words)}": { "${name(chance, words)}": ${number(chance)}, "at": "${name(chance, words)}" },\n`,
  md: (chance, words) =>
    chance.percent(20)
      ? `\n## ${sentence(chance, words)}\n\n`
      : `${sentence(chance, words)}, \`${name(chance, words)}\`: ${sentence(chance, words)}.\n`,
};

const HEADS: Record<Kind, string> = {
  js: '"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.default = void 0;\nfunction main() {\n',
  "d.ts": "export interface Options {\n",
  "js.map":
    '{"version":3,"sources":["../src/main.ts"],"names":[],"mappings":"AAAA',
  "min.js": '"use strict";(()=>{',
  json: "{\n",
  md: "# Read me\n\n",
};

const TAILS: Record<Kind, string> = {
  js: "}\n//# sourceMappingURL=main.js.map\n",
  "d.ts": "}\n",
  "js.map": '"}\n',
  "min.js": "})();\n",
  json: '  "end": null\n}\n',
  md: "\n",
};
