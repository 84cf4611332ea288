import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

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
