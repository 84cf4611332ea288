import { testDirectly } from "./direct.ts";

testDirectly("codex");
