import { provenGrade, type Scene } from "../scene.ts";

export const pause = async (scene: Scene): Promise<string> => {
  const id = await scene.begin();
  await scene.client.pauseSession(id);
  await scene.client.resumeSession(id);
  return provenGrade(scene, id);
};
