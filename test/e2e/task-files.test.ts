import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { root } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

/** A demo agent that writes a file in every turn, whatever it is told. */
const WRITER = `while IFS= read -r line; do
  case $line in *'"session/prompt"'*) echo 2 > two.txt ;; esac
  printf '%s\\n' "$line"
done | "$@"`;

const demo = programOfProduct(
  "demo-agent",
  join(root, "src/programs/demo/main.ts"),
);

const test = sharedHouse({
  agents: {
    writer: {
      command: ["/bin/sh", "-c", WRITER, "writer", process.execPath, demo],
    },
  },
});

test("[TSK-37] [TSK-38] an attempt names what its own turns changed, and no resume where its agent never left", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "Write",
    description: "write one.txt 1",
    cwd: workspace,
    run: true,
  });
  const tried = (attempts: number) =>
    eventually(
      () => client.showTask(id),
      (task) => task.state === "REVIEW" && task.attempts === attempts,
    );
  await tried(1);
  await writeFile(join(workspace, "person.txt"), "by hand");
  await client.addContext(id, { text: "write two.txt 2" });
  const task = await tried(2);
  await writeFile(join(workspace, "later.txt"), "by hand");
  await client.pauseSession(task.session_id ?? "");
  await client.addContext(id, { text: "write one.txt 3" });
  await tried(3);
  const { attempts } = await client.listAttempts(id);
  assert.deepEqual(
    attempts.map(({ files_changed, grade }) => ({ files_changed, grade })),
    [
      {
        files_changed: [{ path: "one.txt", change: "added" }],
        grade: undefined,
      },
      {
        files_changed: [{ path: "two.txt", change: "added" }],
        grade: undefined,
      },
      {
        files_changed: [{ path: "one.txt", change: "modified" }],
        grade: "native",
      },
    ],
  );
});

test("[TSK-42] what another agent changes in going on after a quota belongs to the attempt", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "Write",
    description: "write one.txt 1\nquota 3600",
    cwd: workspace,
    on_quota: "handoff:writer",
    run: true,
  });
  await eventually(
    () => client.showTask(id),
    ({ state }) => state === "REVIEW",
  );
  const { attempts } = await client.listAttempts(id);
  assert.deepEqual(
    attempts.map(({ files_changed }) => files_changed?.map(({ path }) => path)),
    [["one.txt", "two.txt"]],
  );
});
