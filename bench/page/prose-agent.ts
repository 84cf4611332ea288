/** Speaks as a model does, a word at a time. Each turn ends with a sentence that tells its number. */
import { runLightAgent } from "../light-agent.ts";
import { lastSentence, PIECES } from "./prose.ts";

let turn = 0;
let said = 0;

runLightAgent((left) => {
  if (left === 0) {
    turn += 1;
    said = 0;
    return lastSentence(turn);
  }
  said += 1;
  return PIECES[(said - 1) % PIECES.length] ?? "";
});
