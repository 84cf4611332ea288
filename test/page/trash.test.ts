/** The trash: taken out of it, deleted for good, emptied. */
import assert from "node:assert/strict";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, type Stage } from "./fixtures/page-test.ts";

const test = pageTests();

test("[PAG-168] the trash is emptied by taking out, and follows the home", async (stage) => {
  const { client } = stage.scene;
  const first = await ended(stage, "First out");
  const later = await ended(stage, "Deleted later");
  await client.deleteSession(first);
  const page = await stage.open("/trash");
  const list = page.getByRole("list", { name: "In the trash" });
  const line = list.getByRole("listitem").filter({ hasText: "First out" });
  await line.getByText(/In the trash until \d+ \w+/).waitFor();
  await client.deleteSession(later);
  await list.getByText("Deleted later").waitFor();
  await line.getByRole("button", { name: "Take it out" }).click();
  await line.waitFor({ state: "detached" });
  assert.equal((await client.showSession(first)).deleted_at, null);
});

test("[PAG-240] [API-188] what is in the trash is deleted for good once that is confirmed", async (stage) => {
  const { client } = stage.scene;
  const id = await ended(stage, "Gone for good");
  const { owner, guest } = await lent(stage, "Its directory is used");
  for (const each of [id, owner]) await client.deleteSession(each);
  const page = await stage.open("/trash");
  const list = page.getByRole("list", { name: "In the trash" });
  const rowOf = (name: string) =>
    list.getByRole("listitem").filter({ hasText: name });
  const purge = async (name: string, button: string) => {
    await rowOf(name).getByRole("button", { name: "Delete for good" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete “${name}”` });
    await dialog.getByText(/checkpoints.* are lost/).waitFor();
    assert.deepEqual(await axeFindings(page), []);
    await dialog.getByRole("button", { name: button }).click();
    await dialog.waitFor({ state: "detached" });
  };
  // [PAG-244] Somebody does it elsewhere.
  const elsewhere = await ended(stage, "Gone elsewhere");
  await client.deleteSession(elsewhere);
  await rowOf("Gone elsewhere").waitFor();
  await client.purgeSession(elsewhere);
  await rowOf("Gone elsewhere").waitFor({ state: "detached" });
  await purge("Gone for good", "Cancel");
  assert.notEqual((await client.showSession(id)).deleted_at, null);
  await purge("Gone for good", "Delete for good");
  await rowOf("Gone for good").waitFor({ state: "detached" });
  await assert.rejects(client.showSession(id), { code: "session_not_found" });
  await purge("Its directory is used", "Delete for good");
  await rowOf("Its directory is used")
    .getByRole("alert")
    .filter({ hasText: guest })
    .waitFor();
  assert.notEqual((await client.showSession(owner)).deleted_at, null);
  await client.deleteSession(guest);
  for (const each of [guest, owner]) await client.purgeSession(each);
  stage.forgive(/409/);
});

test("[PAG-241] [TSK-75] the trash is emptied of what was listed, and what stays is told", async (stage) => {
  const { client } = stage.scene;
  const gone = await ended(stage, "First of many");
  const { owner, guest } = await lent(stage, "It has to stay");
  const task = await client.createTask({ title: "A task of old" });
  for (const each of [gone, owner]) await client.deleteSession(each);
  await client.deleteTask(task.id);
  const page = await stage.open("/trash");
  const list = page.getByRole("list", { name: "In the trash" });
  for (const name of ["First of many", "It has to stay", "A task of old"])
    await list.getByText(name).waitFor();
  await page.getByRole("button", { name: "Empty the trash" }).click();
  const dialog = page.getByRole("dialog", { name: "Empty the trash?" });
  await dialog.getByText(/\d+ sessions and \d+ tasks? will be/).waitFor();
  // Deleted behind the question: it was not listed.
  const since = await ended(stage, "Came since");
  await client.deleteSession(since);
  await dialog.getByRole("button", { name: "Empty the trash" }).click();
  await page.getByText("1 could not be deleted for good").waitFor();
  await list.getByText(guest).waitFor();
  await list.getByText("Came since").waitFor();
  assert.equal(await list.getByRole("listitem").count(), 2);
  await assert.rejects(client.showSession(gone), { code: "session_not_found" });
  await assert.rejects(client.showTask(task.id), { code: "task_not_found" });
  await client.deleteSession(guest);
  for (const each of [guest, owner]) await client.purgeSession(each);
  stage.forgive(/409/);
});

/** A session that can be deleted at once. */
const ended = async ({ scene }: Stage, name: string): Promise<string> => {
  const { id } = await scene.client.createSession({
    agent: "demo",
    name,
    cwd: scene.workspace,
  });
  await scene.client.endSession(id);
  return id;
};

/** Two sessions that have ended; one of them worked in the directory that was made for the other. */
const lent = async ({ scene }: Stage, name: string) => {
  const { id: owner, cwd } = await scene.client.createSession({
    agent: "demo",
    name,
  });
  const { id: guest } = await scene.client.createSession({
    agent: "demo",
    cwd,
  });
  for (const id of [owner, guest]) await scene.client.endSession(id);
  return { owner, guest };
};
