/** What the build of the page is made of, and how much of it there is. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildPage } from "../../src/serve/page/build-page.ts";
import { composeDocument } from "../../src/server/page/document.ts";

const KB = 1000;
const root = join(import.meta.dirname, "../..");
/** The runner has built it with the product. */
const product = process.env["TEST_PRODUCT"];
let directory: string;
let isOurs = false;
let html: string;

before(async () => {
  if (product === undefined) {
    directory = await mkdtemp(join(tmpdir(), "reprise-page-"));
    isOurs = true;
    await buildPage(root, directory);
  } else directory = join(product, "dist/page");
  html = await readFile(join(directory, "index.html"), "utf8");
});

after(async () => {
  if (isOurs) await rm(directory, { recursive: true });
});

const files = async (ending: string): Promise<Map<string, string>> => {
  const names = await readdir(directory, { recursive: true });
  return new Map(
    await Promise.all(
      names
        .filter((name) => name.endsWith(ending))
        .map(
          async (name) =>
            [
              `/${name}`,
              await readFile(join(directory, name), "utf8"),
            ] as const,
        ),
    ),
  );
};

/** What is loaded before a screen is shown: what the document names, the screen's own script, and what these import. */
const firstLoad = async (screen: string): Promise<string[]> => {
  const scripts = await files(".js");
  const own = [...scripts.keys()].filter((path) =>
    path.startsWith(`/assets/${screen}-`),
  );
  assert.equal(own.length, 1, `scripts of ${screen}: ${own.join(" ")}`);
  const found = new Set<string>();
  const visit = (path: string): void => {
    const text = scripts.get(path);
    if (text === undefined || found.has(path)) return;
    found.add(path);
    for (const [, name = ""] of text.matchAll(
      /(?:^|[;}])import(?:[^"'();]*?from)?["']\.\/([^"']+)["']/g,
    ))
      visit(`/assets/${name}`);
  };
  for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g))
    visit(path);
  own.forEach(visit);
  return [...found];
};

/** As the build compresses it for those that do not know Brotli. */
const size = (texts: (string | undefined)[]): number =>
  texts.reduce(
    (sum, text) => sum + gzipSync(text ?? "", { level: 9 }).length,
    0,
  );

const assertLoads = async (screen: string, most: number): Promise<void> => {
  const scripts = await files(".js");
  const loaded = await firstLoad(screen);
  assert.ok(loaded.length > 1);
  const js = size(loaded.map((path) => scripts.get(path)));
  assert.ok(js <= most * KB, `scripts: ${js} bytes`);
  // Dialogs, menus, colours and terminals come when somebody asks for them.
  for (const path of loaded) {
    assert.doesNotMatch(path, /menu|overlay|worker|xterm|changes|first-run/);
    // Where this fails, a screen that is loaded later checks with a schema that stands beside something that is needed at first.
    assert.doesNotMatch(scripts.get(path) ?? "", /ZodError/, path);
  }
};

test("[PAG-13] [PAG-220] Home needs at most 150 kB of scripts at first", () =>
  assertLoads("home", 150));

test("[PAG-216] [PAG-220] a session needs at most 150 kB of scripts at first", () =>
  assertLoads("session-page", 150));

test("[PAG-13] the first load is at most 15 kB of styles", async () => {
  const styles = await files(".css");
  const css = size(
    [...html.matchAll(/href="(\/[^"]+\.css)"/g)].map(([, path = ""]) =>
      styles.get(path),
    ),
  );
  assert.ok(css <= 15 * KB, `styles: ${css} bytes`);
});

test("[PAG-13] nothing of Node is in it, and nothing is loaded from elsewhere", async () => {
  const texts = [...(await files(".js")), ...(await files(".css"))];
  for (const [path, text] of texts) {
    assert.doesNotMatch(text, /["']node:/, path);
    assert.doesNotMatch(
      text,
      /(?:import\(|from|fetch\(|Worker\(|url\()\s*["']?(?:https?:)?\/\//,
      path,
    );
  }
  assert.doesNotMatch(html, /(?:src|href)="(?!\/)/);
});

test("[PAG-5] nothing in it makes code from text", async () => {
  for (const [path, text] of await files(".js"))
    assert.doesNotMatch(
      text,
      /=Function,new |new Function\("|[^.\w]eval\(/,
      path,
    );
});

test("[PAG-11] each script and each style has its compressed copies", async () => {
  const names = new Set(await readdir(directory, { recursive: true }));
  for (const name of names)
    if (/\.(?:js|css)$/.test(name)) {
      assert.ok(names.has(`${name}.br`), name);
      assert.ok(names.has(`${name}.gz`), name);
    }
});

test("[PAG-4] [PAG-5] the built document has the places that the server fills in", () => {
  const view = { version: "9.8.7", home: null, session: null };
  const document = composeDocument(html, {
    nonce: "n0nce",
    theme: "dark",
    view,
  });
  assert.match(document, /<html lang="en" data-theme="dark">/);
  assert.match(document, /<meta property="csp-nonce" nonce="n0nce"/);
  assert.doesNotMatch(document, /__NONCE__/);
  const json = /id="first-view"[^>]*>(.*?)<\/script>/s.exec(document)?.[1];
  assert.deepEqual(JSON.parse(json ?? ""), view);
  assert.doesNotMatch(
    html,
    /<style|<script(?![^>]*(?:src=|application\/json))/,
  );
});
