/**
 * The product as it is installed, made from a checkout: for tests, which start it hundreds of times.
 *
 *   <directory>/bin/reprise · dist/ with the page · package.json · node_modules -> those of the checkout
 */
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { join } from "node:path";
import {
  buildBundle,
  writeBundle,
} from "../../src/executors/standalone/bundle.ts";
import { fingerprintOf } from "../../src/executors/standalone/built-bundle.ts";
import { buildPage } from "../../src/serve/page/build-page.ts";
import { pageFingerprint } from "../../src/serve/page/fingerprint.ts";
import { buildProgram } from "./program.ts";

/** Makes it in a directory that is not there yet, without the page. */
export const buildProduct = async (
  root: string,
  directory: string,
): Promise<void> => {
  await mkdir(directory, { recursive: true });
  for (const name of ["bin", "package.json"])
    await cp(join(root, name), join(directory, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  const dist = join(directory, "dist");
  await buildProgram(root, dist);
  await writeBundle(await buildBundle(root), join(dist, "bundle"));
};

/** The product of these very sources, made unless it was made before. */
export const productOf = async (root: string): Promise<string> => {
  const products = join(root, "node_modules/.cache/tests/products");
  const product = join(
    products,
    `${fingerprintOf(root, await besides(root))}-${pageFingerprint(root)}`,
  );
  if (await exists(product)) return product;
  await mkdir(products, { recursive: true });
  await forgetOld(products);
  const draft = await mkdtemp(join(products, "draft-"));
  try {
    await Promise.all([
      buildProduct(root, join(draft, "product")),
      buildPage(root, join(draft, "product/dist/page")),
    ]);
    await rename(join(draft, "product"), product);
  } catch (error) {
    // Another run may have made the same one meanwhile.
    if (!(await exists(product))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return product;
};

/** What a product is made of and by, besides the sources. */
const besides = async (root: string): Promise<string[]> => {
  const inside = async (folder: string): Promise<string[]> =>
    (await readdir(join(root, folder))).map((name) => join(folder, name));
  return [
    "package.json",
    ...(await inside("bin")),
    ...(await inside("scripts/build")),
  ];
};

/** Long enough for whatever runs from it to have ended. */
const OLD_MS = 24 * 3_600_000;

const forgetOld = async (products: string): Promise<void> => {
  for (const name of await readdir(products)) {
    const path = join(products, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > OLD_MS)
      await rm(path, { recursive: true, force: true });
  }
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
