/** Real agents behind the door for editors: acpx drives them, and whatever runs them is killed between two prompts. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { Acpx } from "../acp/acpx.ts";
import { endServer } from "../acp/editor.ts";
import { killAgents } from "../e2e/counting.ts";
import { Scene } from "./scene.ts";
import { setUpOf } from "./set-up.ts";

for (const agent of ["claude", "codex"] as const)
  test(
    `[ACP-3] [ACP-9] [ACP-14] [ACP-19] ${agent} behind the door: one conversation, though agent, door and server are killed`,
    { timeout: patience(240_000) },
    async () => {
      await using scene = await Scene.make(agent);
      const { house, client, model } = scene;
      await using ends = new AsyncDisposableStack();
      // One that the door has started.
      ends.defer(() => endServer(house.home));
      const acpx = ends.use(
        await Acpx.in({ house, workspace: house.workspace }, agent),
      );
      const made = await acpx.run(["sessions", "new", "--name", "s"]);
      assert.equal(made.code, 0, made.text);
      const [id = ""] = /ses_\w{26}/.exec(made.text) ?? [];
      const say = async (text: string): Promise<string> => {
        const { code, text: answer } = await acpx.run([
          "--approve-all",
          "prompt",
          "-s",
          "s",
          text,
        ]);
        assert.equal(code, 0, answer);
        assert.match(answer, /end_turn/);
        return answer;
      };
      const passkey = randomUUID();
      const recalls = async (): Promise<void> => {
        const answer = await say("say the passkey");
        assert.equal(answer.split(passkey).length, 2, answer);
      };

      assert.match(await say(`store passkey ${passkey}`), /stored/);
      await killAgents(client, id);
      await recalls();
      const { resume } = await client.showSession(id);
      assert.deepEqual([resume?.grade, resume?.verified], ["native", true]);

      await acpx.killDoor();
      await recalls();

      const { askingMode } = setUpOf[agent];
      if (askingMode !== undefined) {
        const set = await acpx.run(["set-mode", askingMode, "-s", "s"]);
        assert.equal(set.code, 0, set.text);
        const { definition } = await client.showSession(id);
        assert.equal(definition.mode, askingMode);
      }
      const file = join(house.workspace, "asked.txt");
      await say(`write ${file} hello`);
      assert.equal((await readFile(file, "utf8")).trim(), "hello");
      const { events } = await client.listEvents(id);
      const asked = events.filter(
        ({ type }) => type === "session.permission.requested",
      );
      assert.equal(asked.length, 1);

      await scene.killServer();
      await recalls();
      assert.equal(scene.asked(`store passkey ${passkey}`), 1);
      assert.equal(scene.asked("say the passkey"), 3);
      assert.deepEqual(model.strange, []);
    },
  );
