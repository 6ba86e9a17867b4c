// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import { Kernel } from "./screens/kernel";
import { usePlace } from "./state";
import "./style.css";

const screens = [
  { name: "kernel", title: "Kernel", show: Kernel },
  { name: "whatif", title: "What if", show: lazy(() => import("./screens/whatif").then((m) => ({ default: m.WhatIf }))) },
  { name: "compare", title: "Compare", show: lazy(() => import("./screens/compare").then((m) => ({ default: m.Compare }))) },
  { name: "system", title: "System", show: lazy(() => import("./screens/system").then((m) => ({ default: m.System }))) },
  { name: "hardware", title: "Hardware", show: lazy(() => import("./screens/hardware").then((m) => ({ default: m.Hardware }))) },
  { name: "results", title: "Results", show: lazy(() => import("./screens/results").then((m) => ({ default: m.Results }))) },
];

function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  const other = theme === "dark" ? "light" : "dark";
  return <button class="quiet" onClick={() => setTheme(other)}>{other === "dark" ? "Dark" : "Light"}</button>;
}

function App() {
  const place = usePlace();
  const screen = screens.find((s) => s.name === place.screen) ?? screens[0];
  useEffect(() => {
    document.title = `${screen.title} - Forewarp`;
    document.querySelector("nav a[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // Alt and a digit leads to a screen.
    const pressed = (event: KeyboardEvent) => {
      const wanted = event.altKey ? screens[Number(event.key) - 1] : undefined;
      if (!wanted) return;
      event.preventDefault();
      location.hash = `#/${wanted.name}`;
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [screen]);
  const Show = screen.show;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")!.focus(); }}>To the content</a>
      <header>
        <span class="brand">Forewarp</span>
        <nav aria-label="Screens">
          {screens.map((s, i) => (
            <a key={s.name} href={`#/${s.name}`} aria-current={s === screen ? "page" : undefined} title={`Alt+${i + 1}`}>{s.title}</a>
          ))}
        </nav>
        <Theme />
      </header>
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<p class="faint">loading ..</p>}><Show key={`${place.screen}?${place.values}`} place={place} /></Suspense>
      </main>
    </>
  );
}

render(<App />, document.getElementById("app")!);
