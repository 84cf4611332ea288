/** The runs of a race side by side, and one of them kept. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { root } from "../e2e/house.ts";
import { axeFindings } from "./fixtures/axe.ts";
import { pageTests, PHONE } from "./fixtures/page-test.ts";

const test = pageTests();

test("[RAC-14] [PAG-187] [PAG-188] two runs are shown beside each other, and one is kept", async (stage) => {
  const { client, house, workspace: cwd } = stage.scene;
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "user.name=t", "-c", "user.email=t@t", ...args],
      {
        cwd,
      },
    );
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "begin");
  const args = ["race", "write a.txt one", "--n", "2", "--name", "faster"];
  const child = spawn(join(root, "bin/reprise"), [...args, "--json"], {
    cwd,
    env: house.env(),
    stdio: "ignore",
  });
  await once(child, "close");
  const race = await client.showRace("faster");
  assert.ok(race.runs.every(({ session_id }) => session_id !== null));

  // [PAG-243] Its sessions may be called anything.
  for (const { session_id } of race.runs)
    await client.changeSession(session_id ?? "", { name: "renamed" });
  const page = await stage.open("/tasks");
  await page.getByRole("link", { name: "faster", exact: true }).click();
  const run = (number: number) =>
    page.getByRole("region", { name: `Run ${number}` });
  for (const number of [1, 2])
    await run(number)
      .getByRole("region", { name: `a.txt, run ${number}` })
      .waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await axeFindings(page), []);
  await page.setViewportSize(PHONE);
  assert.deepEqual(await axeFindings(page), []);
  await run(2).getByRole("button", { name: "Keep this one" }).click();
  await run(2).getByText("Kept", { exact: true }).waitFor();
  await run(1).getByText("Run 2 was kept.").waitFor();
  const first = race.runs[0]?.session_id ?? "";
  await eventually(
    () => client.showSession(first),
    ({ deleted_at }) => deleted_at !== null,
  );
});

test("[RAC-30] keeping a run that was cut off is said, and finished by its button", async (stage) => {
  const { client, workspace: cwd } = stage.scene;
  const agree = (name: string, value: string) =>
    client.call("agree", { params: { name }, body: { value } });
  await agree(
    "race.halfway",
    JSON.stringify({
      prompt: "",
      agents: ["demo", "demo"],
      repository: cwd,
      session: null,
      permissions: null,
    }),
  );
  const ids: string[] = [];
  for (const number of [1, 2]) {
    const { id } = await client.createSession({ agent: "demo", cwd });
    await agree(`race-run.${number}.halfway`, id);
    ids.push(id);
  }
  await agree("race-kept.halfway", "2");
  const page = await stage.open("/races/halfway");
  const run = (number: number) =>
    page.getByRole("region", { name: `Run ${number}` });
  await run(2).getByText("Keeping it was cut off").waitFor();
  await run(1).getByText("Run 2 was kept.").waitFor();
  await page.setViewportSize(PHONE);
  assert.deepEqual(await axeFindings(page), []);
  const finish = run(2).getByRole("button", { name: "Finish keeping run 2" });
  await finish.click();
  await finish.waitFor({ state: "detached" });
  await run(2).getByText("Kept", { exact: true }).waitFor();
  const { deleted_at } = await client.showSession(ids[0] ?? "");
  assert.notEqual(deleted_at, null);
  assert.equal((await client.showRace("halfway")).carried_out, true);
});

test("[PAG-243] [RAC-20] races are listed by what the server knows of them, older ones when asked", async (stage) => {
  const { client, workspace: cwd } = stage.scene;
  const value = JSON.stringify({
    prompt: "",
    agents: ["demo"],
    repository: cwd,
    session: null,
    permissions: null,
  });
  for (let number = 1; number <= 21; number++)
    await client.call("agree", {
      params: { name: `race.lap-${number}` },
      body: { value },
    });
  await client.createSession({ agent: "demo", name: "no-race 1", cwd });
  const page = await stage.open("/tasks");
  const races = page.getByRole("navigation", { name: "Races" });
  const link = (name: string) => races.getByRole("link", { name, exact: true });
  await link("lap-21").waitFor();
  await link("lap-2").waitFor();
  assert.equal(await link("lap-1").count(), 0);
  assert.equal(await link("no-race").count(), 0);
  await races.getByRole("button", { name: "Older races" }).click();
  await link("lap-1").click();
  await page.getByRole("region", { name: "Run 1" }).waitFor();
});
