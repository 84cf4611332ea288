/** Says when it spoke: every chunk of its text is the machine's monotonic clock at the moment of writing. */
import { runLightAgent } from "../light-agent.ts";

runLightAgent(() => `@${process.hrtime.bigint()};`);
