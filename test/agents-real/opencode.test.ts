import { testAgent } from "./suite.ts";

testAgent("opencode");
