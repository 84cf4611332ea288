// Alone: it starts a container engine.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executorsConform, type Ground } from "../fixtures/conformance.ts";
import { smallImage } from "./fixtures/images.ts";
import { DockerScene } from "./fixtures/scene.ts";
import { TestEngine, whyNoEngine } from "./fixtures/test-engine.ts";

executorsConform(
  "docker",
  async (): Promise<Ground> => {
    const engine = await TestEngine.start();
    const scratch = await mkdtemp(join(tmpdir(), "reprise-docker-"));
    const scene = await DockerScene.make(
      scratch,
      engine,
      await smallImage(engine),
    );
    const place = scene.place();
    await mkdir(scene.cwd);
    await scene.executors().prepare(place, { cwd: scene.cwd });
    return {
      place,
      executors: () => scene.executors(),
      cwd: scene.cwd,
      env: scene.env,
      dispose: async () => {
        await engine.dispose();
        await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
      },
    };
  },
  { skip: (await whyNoEngine()) ?? false },
);
