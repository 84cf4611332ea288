import { testAgent } from "./suite.ts";

testAgent("codex");
