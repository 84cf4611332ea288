import { testDirectly } from "./direct.ts";

testDirectly("opencode");
