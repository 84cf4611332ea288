/**
 * A registry of npm that knows the packages of our lock file, each at its version there: what is installed does not depend on
 * what was published since. npm finds their content in its cache; what is not there yet is at the registry of this machine.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as z from "zod";

const Locked = z.looseObject({
  version: z.string(),
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
});
const Lock = z.object({ packages: z.record(z.string(), z.unknown()) });

export interface Registry extends AsyncDisposable {
  url: string;
}

/** @param settings what this machine has for a registry. */
export const startRegistry = async (
  root: string,
  settings: string,
): Promise<Registry> => {
  const upstream = settings.replace(/\/$/, "");
  const documents = documentsOf(
    Lock.parse(
      JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")),
    ),
    upstream,
  );
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const document = documents.get(path);
    if (document !== undefined) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(document));
      return;
    }
    const isContent = path.includes("/-/");
    response.statusCode = isContent ? 302 : 404;
    if (isContent) response.setHeader("location", `${upstream}/${path}`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

interface Document {
  name: string;
  "dist-tags": { latest: string };
  versions: Record<string, unknown>;
}

const documentsOf = (
  { packages }: z.output<typeof Lock>,
  upstream: string,
): Map<string, Document> => {
  const documents = new Map<string, Document>();
  for (const [path, entry] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    const { success, data } = Locked.safeParse(entry);
    if (name === "" || !success || data.dev === true) continue;
    const { version, integrity, ...rest } = data;
    const document = documents.get(name) ?? {
      name,
      "dist-tags": { latest: version },
      versions: {},
    };
    const file = `${name.split("/").at(-1)}-${version}.tgz`;
    const tarball = `${upstream}/${name}/-/${file}`;
    document.versions[version] = {
      ...rest,
      name,
      version,
      dist: { tarball, integrity },
    };
    documents.set(name, document);
  }
  return documents;
};
