/** `npm run docs:reference`: writes `docs/reference/` from the contract and from the types of the client. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { referencePages } from "./reference/pages.ts";

const root = join(import.meta.dirname, "..");
for (const [path, text] of await referencePages(root)) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  console.log(path);
}
