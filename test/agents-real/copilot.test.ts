import { testAgent } from "./suite.ts";

testAgent("copilot");
