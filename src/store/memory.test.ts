import { storeConformance } from "./fixtures/conformance.ts";
import { memoryStore } from "./memory.ts";

storeConformance("memory", async () => memoryStore());
