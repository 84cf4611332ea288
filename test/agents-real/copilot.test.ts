import { testDirectly } from "./direct.ts";

testDirectly("copilot");
