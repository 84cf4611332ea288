/** What an agent does between two checkpoints: it changes a line in each of ten files. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Chance } from "./workspace/chance.ts";

const FILES = 10;

export class Editor {
  readonly #root: string;
  readonly #files: string[];
  readonly #chance = new Chance("edits");
  #edits = 0;

  constructor(root: string) {
    this.#root = root;
    this.#files = globSync("{src,node_modules/*/lib}/**/*.{ts,js}", {
      cwd: root,
    }).sort();
  }

  tenFiles(): void {
    this.edit(this.choose());
  }

  choose(): string[] {
    const chosen = new Set<string>();
    while (chosen.size < FILES)
      chosen.add(this.#files[this.#chance.below(this.#files.length)] ?? "");
    return [...chosen];
  }

  edit(paths: readonly string[]): void {
    for (const path of paths) this.#edit(join(this.#root, path));
  }

  #edit(path: string): void {
    this.#edits += 1;
    const lines = readFileSync(path, "utf8").split("\n");
    const at = this.#chance.below(lines.length);
    lines[at] = `const edit = ${this.#edits}; // was: ${lines[at]}`;
    writeFileSync(path, lines.join("\n"));
  }
}
