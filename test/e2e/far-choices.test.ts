/** What else takes the name of a place: directories to choose from, and imports. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { refusedWith, sharedFarHouse } from "./far.ts";

const test = sharedFarHouse();

test("[EXE-43] directories of a host are told by its agentctl, and of no place that is none", async ({
  client,
}, host) => {
  await mkdir(join(host.workspace, "project"), { recursive: true });
  const path = join(host.workspace, "pro");
  const found = await client.listDirectories({ path, host: host.name });
  assert.deepEqual(found, {
    parent: `${host.workspace}/`,
    names: ["project"],
    truncated: false,
  });
  host.cable.cut();
  await assert.rejects(
    client.listDirectories({ path, host: host.name }),
    refusedWith("agentctl_unavailable", /build-box/),
  );
  host.cable.heal();
  await assert.rejects(
    client.listDirectories({ path, host: "moon" }),
    refusedWith("host_not_usable", /no host moon/),
  );
  await assert.rejects(
    client.listDirectories({ path, executor: "docker" }),
    refusedWith("invalid_request", /container/i),
  );
});

test("[EXE-42] [EXE-40] an import names the machine of the server, or is refused in words", async ({
  client,
  workspace,
}, host) => {
  const { id } = await client.createSession({ cwd: workspace });
  await client.pauseSession(id);
  const file = await new Response(await client.exportSession(id)).blob();
  await client.deleteSession(id);
  await client.purgeSession(id);
  for (const where of [
    { host: host.name },
    { executor: "remote" },
    { executor: "local_docker" },
  ] as const)
    await assert.rejects(
      client.importSession(file, where),
      refusedWith("not_supported", /machine of the server/),
    );
  const session = await client.importSession(file, { executor: "local" });
  assert.deepEqual([session.id, session.executor], [id, "standalone"]);
});
