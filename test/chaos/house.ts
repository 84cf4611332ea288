/** Where a run of chaos takes place: a home, a port, and a directory for each session. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { buildProduct, productOf } from "../../scripts/build/product.ts";
import { copyTree, type Patch } from "./sabotage/copy-tree.ts";
import { daemonsIn, markedIn } from "./machine/marked.ts";
import { signal } from "./machine/processes.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

export class ChaosHouse {
  readonly directory: string;
  /** The product that runs: it is built, so that its many starts are quick. */
  readonly product: string;
  readonly home: string;
  /** The agents' output, kept after agentctl has forgotten it. */
  readonly kept: string;
  /** Always the same, so that clients find a restarted server where it was. */
  readonly port: number;

  private constructor(directory: string, product: string, port: number) {
    this.directory = directory;
    this.product = product;
    this.home = join(directory, "home");
    this.kept = join(directory, "kept");
    this.port = port;
  }

  static async make(
    root: string,
    patches: readonly Patch[] = [],
  ): Promise<ChaosHouse> {
    const directory = await mkdtemp(join(tmpdir(), "reprise-chaos-"));
    const product =
      patches.length === 0
        ? await productOf(root)
        : await patchedProduct(root, directory, patches);
    const house = new ChaosHouse(directory, product, await freePort());
    await mkdir(house.home, { mode: 0o700 });
    await mkdir(house.kept);
    // What is thrown away goes at the next collection.
    const config = { idle_minutes: null, trash_days: 0 };
    await writeFile(join(house.home, "config.json"), JSON.stringify(config));
    return house;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get executions(): string {
    return join(this.home, "agentctl", "executions");
  }

  env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      HOME: this.directory,
      TMPDIR: this.directory,
      REPRISE_HOME: this.home,
    };
  }

  /** Ends everything that is left in it. */
  async clear(): Promise<void> {
    for (const daemon of daemonsIn(this.home)) signal(daemon, "SIGKILL");
    const left = new Set(markedIn(this.home).map(({ execution }) => execution));
    for (const name of await readdir(this.executions).catch(() => []))
      left.add(name);
    for (const id of left)
      await endMarked(`REPRISE_EXECUTION=${id}`, patience(5000));
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

const patchedProduct = async (
  root: string,
  directory: string,
  patches: readonly Patch[],
): Promise<string> => {
  const tree = join(directory, "tree");
  const product = join(directory, "product");
  await copyTree(root, tree, patches);
  await buildProduct(tree, product);
  return product;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};
