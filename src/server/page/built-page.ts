import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** The page as it was built: a document, and files that it loads. */
export interface BuiltPage {
  template: string;
  /** By address. What is not in here is not served: no address becomes a path. */
  files: ReadonlyMap<string, PageFile>;
}

export interface PageFile {
  path: string;
  type: string;
  etag: string;
  /** Which compressed copies lie beside it. */
  encodings: ReadonlySet<Encoding>;
  /** Its name changes with its content. */
  isHashed: boolean;
}

export type Encoding = "br" | "gzip";
const ENDINGS = { br: ".br", gzip: ".gz" } as const;

/** Where a file lies, or its compressed copy. */
export const pathOf = (file: PageFile, encoding: Encoding | null): string =>
  encoding === null ? file.path : `${file.path}${ENDINGS[encoding]}`;

/** Null where no page was built. */
export const openBuiltPage = async (
  directory: string,
): Promise<BuiltPage | null> => {
  const template = await readFile(join(directory, "index.html"), "utf8").catch(
    () => null,
  );
  if (template === null) return null;
  const names = await readdir(directory, { recursive: true });
  const all = new Set(names);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined || name === "index.html") continue;
    const path = join(directory, name);
    const { size, mtimeMs } = await stat(path);
    files.set(`/${name}`, {
      path,
      type,
      etag: `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      encodings: new Set(
        (["br", "gzip"] as const).filter((encoding) =>
          all.has(`${name}${ENDINGS[encoding]}`),
        ),
      ),
      isHashed: name.startsWith("assets/"),
    });
  }
  return { template, files };
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
