import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { forgetFailedStyles } from "./kit/late.tsx";
import { fetchScreen } from "./kit/lazy-screen.tsx";
import { openStores } from "./start/page-stores.ts";
import { SignedOut } from "./start/signed-out.tsx";
import { start } from "./start/start.ts";
import "./style/tokens.css";
import "./style/base.css";

forgetFailedStyles(document);
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
