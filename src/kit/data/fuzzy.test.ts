import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzyFit, fuzzyPathFit, fuzzyRank } from "./fuzzy.ts";

/** What fits is in brackets. */
const marked = (query: string, text: string): string | null => {
  const fit = fuzzyFit(query, text);
  if (fit === null) return null;
  return fit.ranges.reduceRight(
    (told, { start, end }) =>
      `${told.slice(0, start)}[${told.slice(start, end)}]${told.slice(end)}`,
    text,
  );
};

test("[PAG-192] words are found at beginnings, within, and as beginnings of words", () => {
  assert.equal(
    marked("re", "Retry storms in the uploader"),
    "[Re]try storms in the uploader",
  );
  assert.equal(marked("storms RETRY", "Retry storms"), "[Retry] [storms]");
  assert.equal(marked("try", "Retry"), "Re[try]");
  assert.equal(marked("prbox", "prompt-box.tsx"), "[pr]ompt-[box].tsx");
  assert.equal(marked("fS", "fuzzyStart"), "[f]uzzy[S]tart");
  assert.equal(marked("", "anything"), "anything");
  assert.equal(marked("xyz", "Retry storms"), null);
  // Letters in the middle of words are no beginnings: what is typed does not fit everything.
  assert.equal(marked("rto", "Retry storms"), null);
});

test("[PAG-192] the best comes first, and what fits equally well stays in its order", () => {
  const names = [
    "Upload retries",
    "A tree",
    "Retry storms",
    "Self-repair",
    "Retry uploads",
  ];
  const order = (query: string) =>
    fuzzyRank(names, (name) => fuzzyFit(query, name)).map(({ item }) => item);
  assert.deepEqual(order("re"), [
    "Retry storms",
    "Retry uploads",
    "Upload retries",
    "Self-repair",
    "A tree",
  ]);
  assert.deepEqual(order("re"), order("re"));
  assert.deepEqual(order(""), names);
});

test("[PAG-192] a path is found by its name first", () => {
  const rank = (query: string, paths: string[]) =>
    fuzzyRank(paths, (path) => fuzzyPathFit(query, path)).map(
      ({ item }) => item,
    );
  assert.deepEqual(
    rank("app", ["app/main.ts", "src/app.ts", "src/snapper.ts"]),
    ["src/app.ts", "src/snapper.ts", "app/main.ts"],
  );
  assert.deepEqual(rank("src/app", ["src/app.ts", "lib/app.ts"]), [
    "src/app.ts",
  ]);
});

test("[PAG-192] a text in which everything could begin a word comes to an end", () => {
  assert.equal(fuzzyFit(`${"a".repeat(30)}cb`, `${"a ".repeat(150)}b c`), null);
});
