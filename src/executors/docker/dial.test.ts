import assert from "node:assert/strict";
import { once } from "node:events";
import {
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { dialSocket } from "./dial.ts";

const skip =
  process.platform === "linux" ? false : "containers need a server on Linux";

const listening = async (t: TestContext) => {
  const directory = await mkdtemp(join(tmpdir(), "dial-"));
  const server: Server = createServer((socket) => void socket.end("hello"));
  const path = join(directory, "a.sock");
  server.listen(path);
  await once(server, "listening");
  t.after(async () => {
    server.close();
    await rm(directory, { recursive: true });
  });
  return { directory, path };
};

test(
  "[DKR-6] a socket is connected to however long its path is",
  { skip },
  async (t) => {
    const { directory, path } = await listening(t);
    const deep = join(directory, "deep".repeat(40));
    await mkdir(deep);
    const far = join(deep, "a.sock");
    await rename(path, far);
    const socket = (await dialSocket(far)) ?? assert.fail("nobody there");
    const [heard] = await once(socket, "data");
    assert.equal(String(heard), "hello");
    socket.destroy();
  },
);

test(
  "[DKR-6] what stands in the place of a socket is not followed and not believed",
  { skip },
  async (t) => {
    const { directory, path } = await listening(t);
    const link = join(directory, "link.sock");
    await symlink(path, link);
    const file = join(directory, "file.sock");
    await writeFile(file, "");
    const refused = { code: "container_not_usable", message: /not a socket/ };
    await assert.rejects(dialSocket(link), refused);
    await assert.rejects(dialSocket(file), refused);
    assert.equal(await dialSocket(join(directory, "none.sock")), null);
  },
);
