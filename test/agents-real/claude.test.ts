import { testDirectly } from "./direct.ts";

testDirectly("claude");
