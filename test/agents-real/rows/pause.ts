import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

export const pause = async ({ scene, main }: Cast): Promise<string> => {
  const id = await main();
  await scene.client.pauseSession(id);
  await scene.client.resumeSession(id);
  return provenGrade(scene, id);
};
