// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Drives every screen as a person would: node drive.mjs ADDRESS SCREENSHOTS [STEP ..]. Exits 1 at a console error, a violation
// that axe finds, or a step that does not come to its end. Steps that are named alone are taken.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [address, pictures, ...only] = process.argv.slice(2);
const examples = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "examples");
const root = process.env.FOREWARP_EXAMPLES ?? examples;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(pictures, { recursive: true });

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const faults = [];
let page, refused = false;  // refused: an edit is wrong, so the server says 400

async function open(size, scheme = "light") {
  await page?.context().close();
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, bypassCSP: true });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => { if (message.type() === "error" && !refused) faults.push(`console: ${message.text()}`); });
  page.on("pageerror", (fault) => faults.push(`page: ${fault.message}`));
  page.on("request", (request) => { if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) faults.push(`asks elsewhere: ${request.url()}`); });
}

async function look(name) {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  for (const found of violations) faults.push(`${name}: ${found.id}: ${found.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
}

const desk = { width: 1280, height: 800 }, phone = { width: 390, height: 844 };
const answered = () => page.locator(".answer .time").first().waitFor();
const settled = () => page.locator(".how", { hasText: "answered in" }).waitFor();

const steps = {
  async kernel() {
    await open(desk);
    await page.goto(`${address}#/kernel`);
    await settled();  // the first example is answered without a hand
    await page.locator(".cm-content", { hasText: "XMAD" }).waitFor();
    await page.locator(".u-wrap").first().waitFor();
    await look("kernel");
    await page.locator("table.listing tbody tr", { hasText: "from 0x" }).first().hover();
    await page.locator(".arrows path").first().waitFor({ state: "attached" });
    await page.locator(".cm-line.pointed").first().waitFor();
    await look("kernel-listing");
    await page.locator(".plane").first().scrollIntoViewIfNeeded();
    await look("kernel-roofline");
    await page.locator("summary", { hasText: "hardware numbers" }).click();
    await look("kernel-numbers");
    for (const grid of ["15625", "31250"]) {
      await page.getByLabel("Grid").fill(grid);
      await settled();
      await page.getByRole("button", { name: "Keep in the results" }).click();
      await page.locator("a", { hasText: /^run \d+$/ }).waitFor();
    }
  },
  async typing() {
    await open(desk);
    await page.goto(`${address}#/kernel?input=example:saxpy2.sass&grid=15625&block=256&args=n%3D4000000%0Aa%3D16&gpus=gtx970`);
    await settled();
    const time = () => page.locator(".answer .time").first().innerText();
    const before = await time();
    await page.waitForTimeout(1100);  // what follows is an edit of its own
    const begun = Date.now();
    await page.getByLabel("Grid").fill("62500");
    await page.waitForFunction((text) => document.querySelector(".answer .time")?.innerText !== text, before);
    const launch = Date.now() - begun;
    await settled();
    await page.locator(".changed", { hasText: /more|as long/ }).waitFor();
    await page.waitForTimeout(1100);
    // An instruction becomes a comment: code is taken as it is typed.
    const instructions = await page.locator("table.listing tbody tr").count();
    await page.locator(".cm-line", { hasText: "/*0058*/" }).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Home");
    const typed = Date.now();
    await page.keyboard.type("// ");
    await page.waitForFunction((n) => document.querySelectorAll("table.listing tbody tr").length === n - 1, instructions);
    const code = Date.now() - typed;
    await settled();
    await page.locator(".changed", { hasText: "instructions" }).waitFor();
    await look("kernel-typed");
    await page.keyboard.press("End");
    await page.keyboard.type("\n/*0010*/ EXIT;");  // addresses rise
    refused = true;
    await page.locator(".fault").first().waitFor();
    await page.locator(".old .time").waitFor();  // the last answer stays in sight
    await look("kernel-wrong");
    await page.reload();
    await page.locator(".cm-line", { hasText: "/*0010*/ EXIT" }).waitFor();  // what was typed is there after a reload
    await page.locator(".fault").first().waitFor();
    await page.waitForTimeout(1000);
    refused = false;
    console.log(JSON.stringify({ launch_ms: launch, code_ms: code }));
  },
  async dark() {
    await open(desk, "dark");
    await page.goto(`${address}#/kernel?input=example:saxpy2.sass&grid=1562500&block=256&args=n%3D400000000%0Aa%3D128&gpus=gtx970,gtx980`);
    await settled();
    await page.getByRole("tab").nth(1).click();
    await look("kernel-dark");
  },
  async whatif() {
    await open(desk);
    await page.goto(`${address}#/whatif?input=example:saxpy2.sass&grid=15625&block=256&args=n%3D4000000%0Aa%3D16&gpus=gtx970`);
    await answered();
    await settled();
    const before = await page.locator(".time").innerText();
    await page.getByRole("slider", { name: /^Memory bandwidth/ }).focus();
    for (let i = 0; i < 12; ++i) await page.keyboard.press("ArrowLeft");
    await page.getByRole("slider", { name: /^SMs/ }).fill("7");
    await page.waitForFunction((text) => document.querySelector(".time")?.innerText !== text, before);
    await page.locator("tbody tr").first().waitFor();
    await look("whatif");
  },
  async compare() {
    await open(desk);
    await page.goto(`${address}#/compare?input=example:saxpy2.sass&grid=4000000+threads&block=256&args=n%3D4000000%0Aa%3D16&gpus=gtx970`);
    for (const gpu of ["gtx980", "titanx"]) {
      await page.getByLabel("Add a GPU").fill(gpu);
      await page.getByLabel("Add a GPU").press("Enter");
      await page.getByLabel("Add a GPU").blur();
    }
    await page.getByLabel("Block sizes").fill("64, 256");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.locator("table.compare tbody tr").nth(5).waitFor();
    await look("compare");
  },
  async hardware() {
    await open(desk);
    await page.goto(`${address}#/hardware`);
    await page.getByRole("button", { name: /GTX 970/ }).first().click();
    await page.locator("tbody tr").nth(5).waitFor();
    await page.getByLabel("Find in numbers and sources").fill("bandwidth");
    await page.getByLabel("Edit memory.read_share").fill("0.9");
    await page.getByRole("button", { name: "Check the copy" }).click();
    await page.getByRole("status").waitFor();
    await look("hardware");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export it as a file" }).click()]);
    if (!readFileSync(await file.path(), "utf8").includes("edited")) faults.push("hardware: the exported file does not say what was edited");
  },
  async system() {
    await open(desk);
    await page.goto(`${address}#/system`);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("button", { name: "Add a host" }).click();
    await page.getByRole("button", { name: "Add a GPU" }).click();
    const gpu = page.locator(".drawing g.gpu");
    const box = await gpu.boundingBox();
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 10, { steps: 5 });
    await page.mouse.up();
    await page.locator(".drawing g.cpu").click();
    await page.waitForFunction(() => document.querySelectorAll(".drawing line").length === 1);
    await page.getByRole("button", { name: "Simulate" }).click();
    await answered();
    await page.locator(".gantt .event").first().waitFor();
    await look("system");
  },
  async editor() {
    await open(desk);
    await page.goto(`${address}#/system`);
    const text = page.getByRole("textbox", { name: "The application" });
    await page.locator(".cm-line", { hasText: "sim.variables" }).waitFor();
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("sim.comp");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "compute" }).waitFor();
    await look("editor-completion");
    await page.keyboard.press("Escape");
    await page.locator(".cm-lint-marker-error").first().waitFor();
    await look("editor-fault");
    for (let i = 0; i < "sim.comp".length; ++i) await page.keyboard.press("Backspace");
    await page.locator(".cm-lint-marker-error").first().waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    if (await text.evaluate((field) => field.contains(document.activeElement))) faults.push("editor: the Tab key does not leave it");
  },
  async suite() {
    await open(desk);
    await page.goto(`${address}#/system`);
    await page.locator(".cm-line", { hasText: "sim.variables" }).waitFor();
    await page.locator(".cm-line", { hasText: "base_w = 0" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("56.6");
    await page.getByLabel("Suite").fill("numElements=100000000,200000000,400000000\nsystem.gpu.hardware=gtx970,gtx980");
    await page.getByRole("button", { name: "Simulate the suite" }).click();
    await page.locator("table.suite tbody tr").nth(5).waitFor();
    await page.locator(".plane").first().waitFor();
    await look("suite");
  },
  async results() {
    await open(desk);
    await page.goto(`${address}#/results`);
    await page.locator(".boards button").first().waitFor();
    await page.locator(".boards button", { hasText: "saxpy2.sass" }).first().click();
    await answered();
    await page.getByLabel("Compare with").selectOption({ index: 1 });
    await page.locator("h2", { hasText: "Difference" }).waitFor();
    await look("results");
  },
  async phone() {
    await open(phone);
    await page.goto(`${address}#/results`);
    await page.locator(".boards button").first().waitFor();
    await page.locator(".boards button", { hasText: "saxpy2.sass" }).first().click();
    await answered();
    await page.locator(".answer").scrollIntoViewIfNeeded();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wider > 1) faults.push(`phone: the page is ${wider} px wider than the screen`);
    await look("phone-results");
    await page.goto(`${address}#/kernel?input=example:saxpy2.sass&grid=15625&block=256&args=n%3D4000000%0Aa%3D16&gpus=gtx970`);
    await page.reload();
    await answered();
    await page.locator(".answer").scrollIntoViewIfNeeded();
    await look("phone-kernel");
  },
  async paint() {
    await open(desk);
    await page.goto(address);
    await page.locator("h1").waitFor();
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    const bytes = await page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).filter((e) => !e.name.includes("/api/")).reduce((sum, e) => sum + e.encodedBodySize, 0));
    const shift = await page.evaluate(() => new Promise((told) => { let sum = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe({ type: "layout-shift", buffered: true }); setTimeout(() => told(sum), 800); }));
    console.log(JSON.stringify({ first_paint_ms: Math.round(paint), first_screen_bytes: bytes, layout_shift: Number(shift.toFixed(4)) }));
  },
};

for (const [name, step] of Object.entries(steps)) {
  if (only.length && !only.includes(name)) continue;
  const begun = Date.now();
  try {
    await step();
    console.log(`${name}: ${Date.now() - begun} ms`);
  } catch (fault) {
    faults.push(`${name}: ${fault.message.split("\n")[0]}`);
    await page?.screenshot({ path: join(pictures, `${name}-failed.png`) }).catch(() => {});
  }
}
await browser.close();
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exit(faults.length ? 1 : 0);
