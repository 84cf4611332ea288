import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const WORTH_IT = /\.(?:js|css|svg|json)$/;
const QUALITY = 9;

/** Writes a `.br` and a `.gz` beside each file, so that the server only picks one. */
export const compress = (): Plugin => ({
  name: "compress",
  apply: "build",
  async writeBundle({ dir = "" }) {
    const names = await readdir(dir, { recursive: true });
    await Promise.all(
      names
        .filter((name) => WORTH_IT.test(name))
        .map((name) => compressFile(join(dir, name))),
    );
  },
});

const compressFile = async (path: string): Promise<void> => {
  const content = await readFile(path);
  const brotli = await promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
  const gzipped = await promisify(gzip)(content, { level: QUALITY });
  await Promise.all([
    writeFile(`${path}.br`, brotli),
    writeFile(`${path}.gz`, gzipped),
  ]);
};
