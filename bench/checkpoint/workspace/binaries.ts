/** What is no text: pictures that nothing compresses, programs that compress to a third, a database. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Chance } from "./chance.ts";
import { vocabularyOf } from "./vocabulary.ts";

export interface BinarySizes {
  /** Pictures of 0.3 MB in the middle. */
  pictures: number;
  /** Programs of so many bytes each. */
  programs: readonly number[];
  /** Rows of the database, of about 200 bytes each. */
  rows: number;
}

export const writeBinaries = (root: string, sizes: BinarySizes): void => {
  const chance = new Chance("binaries");
  const assets = join(root, "assets");
  mkdirSync(assets, { recursive: true });
  for (let n = 0; n < sizes.pictures; n += 1)
    writeFileSync(
      join(assets, `picture-${n}.png`),
      chance.bytes(chance.size(300_000, 3_000_000)),
    );
  for (const [n, length] of sizes.programs.entries())
    writeFileSync(join(assets, `native-${n}.node`), program(chance, length));
  writeDatabase(join(root, "state.sqlite"), sizes.rows);
};

/** Machine code repeats its instructions, and not its addresses. */
const program = (chance: Chance, length: number): Buffer => {
  const instructions = Array.from({ length: 400 }, () =>
    chance.bytes(6 + chance.below(8)),
  );
  const code = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const next = chance.percent(24)
      ? chance.bytes(4)
      : instructions[chance.fewBelow(instructions.length)];
    at += next?.copy(code, at) ?? 1;
  }
  return code;
};

const writeDatabase = (path: string, rows: number): void => {
  const chance = new Chance("database");
  const { names, sentences } = vocabularyOf(chance, 3000);
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = OFF; CREATE TABLE message (id INTEGER PRIMARY KEY, author TEXT, at INTEGER, body TEXT); BEGIN",
  );
  const insert = database.prepare(
    "INSERT INTO message (author, at, body) VALUES (?, ?, ?)",
  );
  for (let n = 0; n < rows; n += 1)
    insert.run(
      names[chance.below(names.length)] ?? "",
      chance.below(2 ** 31),
      Array.from({ length: 5 }, () => sentences[chance.below(3000)]).join(". "),
    );
  database.exec("COMMIT; CREATE INDEX by_author ON message (author)");
  database.close();
};
