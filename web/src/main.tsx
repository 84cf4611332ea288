import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { watchStyles } from "./late/failed-styles.ts";
import { latePart } from "./late/late.tsx";
import { fetchScreen } from "./late/lazy-screen.tsx";
import { openStores } from "./start/page-stores.ts";
import { start } from "./start/start.ts";
import "./style/tokens.css";
import "./style/base.css";

watchStyles(document);
// Loaded where nobody is signed in.
const SignedOut = latePart({
  name: "How to sign in",
  load: async () => (await import("./start/signed-out.tsx")).SignedOut,
  look: "screen",
});

const root = document.getElementById("root");
const started = await start(window);
if (root !== null && started.kind === "signed_in") {
  const stores = openStores(started.beginning);
  await fetchScreen(window.location.pathname);
  createRoot(root).render(
    <StrictMode>
      <App stores={stores} />
    </StrictMode>,
  );
} else if (root !== null && started.kind === "signed_out")
  createRoot(root).render(
    <StrictMode>
      <SignedOut why={started.why} />
    </StrictMode>,
  );
