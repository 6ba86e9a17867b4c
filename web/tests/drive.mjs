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
  await page?.unrouteAll({ behavior: "ignoreErrors" });
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

/** Requests whose path ends so wait, where `these` says of them, until what this gives is called. */
async function hold(path, these = () => true) {
  let release;
  const gate = new Promise((go) => { release = go; });
  await page.route((url) => url.pathname.endsWith(path), async (route) => {
    if (these(route.request())) await gate;
    await route.fallback().catch(() => {});
  });
  return release;
}
const asked = (request) => request.postDataJSON();
const expect = async (name, found) => { if (!(await found)) faults.push(name); };
const choose = (name, text) => page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const listing = readFileSync(join(root, "saxpy2.sass"), "utf8");
const two = `${listing}\n${listing.replace("// kernel saxpy2", "// kernel saxpy2_other")}`;
const small = "grid=15625&block=256&args=n%3D4000000%0Aa%3D16&gpus=gtx970";

const desk = { width: 1280, height: 800 }, phone = { width: 390, height: 844 };
const answered = () => page.locator(".answer .time").first().waitFor();
const settled = () => page.locator(".how", { hasText: "answered in" }).waitFor();

const steps = {
  async kernel() {
    await open(desk);
    await page.goto(`${address}#/kernel`);
    await settled();  // the first example is answered without a hand
    await expect("kernel: compares with nothing", (await page.locator(".changed").innerText()) === "");
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
      await page.locator("a", { hasText: /^run \d+$/ }).waitFor({ state: "detached" });  // what was kept is not what is shown now
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
    const since = async (seen) => { await seen; return Date.now() - begun; };
    const [launch, changed] = await Promise.all([
      since(page.waitForFunction((text) => document.querySelector(".answer .time")?.innerText !== text, before)),
      since(page.waitForFunction(() => /more|as long/.test(document.querySelector(".changed")?.innerText))),
    ]);
    await settled();
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
    console.log(JSON.stringify({ launch_ms: launch, changed_ms: changed, code_ms: code }));
  },
  async taking() {
    await open(desk);
    await page.goto(`${address}#/kernel?input=example:saxpy2.sass&${small}`);
    await settled();
    refused = true;
    // A fault of the code goes with it, and its line is that of a file with a name.
    await choose("my.sass", `${listing}\n/*0010*/ EXIT;`);
    await page.locator(".wrong", { hasText: /^line \d+:/ }).waitFor();
    await page.getByLabel("Example").selectOption("example:saxpy2.sass");
    await settled();
    await page.waitForTimeout(300);
    await expect("taking: the fault of other code stays", (await page.locator(".fault").count()) === 0);
    refused = false;
    // The last of two uploads counts, whichever is there first.
    const first = await hold("/inputs", (request) => request.postData().endsWith("// one"));
    const text = page.getByRole("textbox", { name: /^Code:/ });
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// one");
    await page.waitForTimeout(500);
    await page.keyboard.type(" and two");
    await page.waitForFunction(() => location.hash.includes("id%3A"));
    await settled();
    const taken = new URL(page.url()).hash;
    first();
    await page.waitForTimeout(500);
    await expect("taking: an older text is taken last", new URL(page.url()).hash === taken);
    // Text that was typed since is not overwritten by an example that comes late.
    const example = await hold("/examples/saxpy2.sass");
    await page.getByLabel("Example").selectOption("example:saxpy2.sass");
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" and three");
    example();
    await page.locator(".cm-line", { hasText: "and three" }).waitFor();
    await page.waitForTimeout(800);
    await expect("taking: an example overwrites what was typed", (await page.locator(".cm-line", { hasText: "and three" }).count()) === 1);
    // Kernels are those of the first GPU, whenever it is chosen; one that is chosen during an upload stays.
    refused = true;  // until a kernel is chosen
    await page.getByRole("button", { name: "Remove gtx970" }).click();
    await choose("two.sass", two);
    await page.waitForFunction(() => document.querySelectorAll(".cm-line").length > 10);
    await page.getByLabel("Add a GPU").fill("gtx970");
    await page.getByLabel("Add a GPU").press("Enter");
    const kernels = page.locator("label", { hasText: /^Kernel/ }).locator("select");
    await kernels.selectOption("saxpy2");
    await settled();
    refused = false;
    await page.locator(".cm-line.warm").first().waitFor();
    await text.click();
    await page.keyboard.press("Control+End");
    await page.waitForTimeout(300);
    await expect("taking: another kernel's lines have the heat", page.locator(".cm-line").evaluateAll((all) => all.length > 10 && all.slice(-10).every((line) => !line.classList.contains("warm"))));
    const typed = await hold("/inputs");
    await page.keyboard.type("// three");
    await page.waitForTimeout(500);
    await kernels.selectOption("saxpy2_other");
    typed();
    await page.waitForTimeout(300);
    await page.locator(".answer .subject", { hasText: "saxpy2_other" }).waitFor();
    await settled();
    await expect("taking: the kernel is that of an older form", page.url().includes("kernel=saxpy2_other"));
    const stored = await page.evaluate(() => Object.values(sessionStorage).reduce((sum, text) => sum + text.length, 0));
    await expect(`taking: ${stored} characters are stored`, stored < 6 * two.length);
    await look("kernel-two");
    // A screen that was left changes no address.
    const late = await hold("/inputs");
    await page.keyboard.press("Tab");
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// four");
    await page.waitForTimeout(500);
    await page.getByRole("link", { name: "Compare" }).click();
    await page.locator("h1", { hasText: "Compare" }).waitFor();
    late();
    await page.waitForTimeout(500);
    await expect("taking: a screen that was left writes the address", page.url().includes("#/compare"));
    refused = true;  // there is no code in it
    await choose("some.cubin", "ELF\0\0");
    await page.waitForTimeout(500);
    await page.locator("label", { hasText: /^Code:/ }).locator("textarea").pressSequentially("/");
    await expect("taking: typed after what is said of a binary", (await page.locator("label", { hasText: /^Code:/ }).locator("textarea").inputValue()) === "/");
    await page.waitForTimeout(1000);
    refused = false;
  },
  async asking() {
    await open(desk);
    // Whole answers are three times as long here as their closed forms.
    await page.route("**/api/v1/predict", async (route) => {
      const answer = await route.fetch(), results = await answer.json();
      await route.fulfill({ response: answer, json: asked(route.request()).options.fast || results.error ? results : results.map((r) => ({ ...r, time_ms: 3 * r.time_ms })) }).catch(() => {});
    });
    await page.goto(`${address}#/kernel?input=example:saxpy2.sass&${small}`);
    await settled();
    await page.waitForTimeout(1100);
    const grid = page.getByLabel("Grid"), changed = page.locator(".changed"), time = () => page.locator(".answer .time").innerText();
    let release = await hold("/predict", (request) => asked(request).options.fast);
    await grid.fill("31250");
    await page.locator(".how", { hasText: "asking" }).waitFor();
    await expect("asking: an answer is compared with itself", (await changed.innerText()) === "");
    const whole = await hold("/predict", (request) => !asked(request).options.fast);
    release();
    await page.locator(".how", { hasText: "refining" }).waitFor();
    await changed.filter({ hasText: /more|as long/ }).waitFor({ timeout: 5000 });  // of closed forms
    whole();
    await settled();
    await changed.filter({ hasText: /more|as long/ }).waitFor({ timeout: 5000 });
    // An order that is no more is not answered.
    release = await hold("/predict");
    const before = await time();
    await grid.fill("62500");
    await grid.fill("");
    release();
    await page.waitForTimeout(800);
    await expect("asking: what is asked no more is shown", (await page.locator(".old .time").count()) === 1 && (await time()) === before);
    // The refusal of an order that was mended since is not shown.
    await grid.fill("31250");
    await settled();
    refused = true;
    await page.getByLabel("Block").fill("4096");
    await page.locator(".fault").first().waitFor();
    await page.locator(".old .time").waitFor();
    await expect("asking: asks after a refusal", (await page.locator(".how").innerText()) === "");
    await page.getByLabel("Block").fill("128");
    await settled();
    await expect("asking: a fault stays", (await page.locator(".fault").count()) === 0);
    refused = false;
  },
  async source() {
    await open(desk);
    if (!(await (await fetch(`${address}api/v1/version`)).json()).compiles) return;
    await page.goto(`${address}#/kernel`);
    await settled();
    await page.getByLabel("Example").selectOption("example:saxpy.cu");
    const hot = page.locator(".cm-line.warm", { hasText: "y[i]" });
    await hot.waitFor();
    await settled();
    const release = await hold("/inputs");
    await page.getByRole("textbox", { name: /^Code:/ }).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// above\n// and above\n");
    await page.waitForTimeout(500);
    await hot.waitFor();  // heat stays at its line while the answer is of the text before
    await page.locator(".cm-line", { hasText: "y[i]" }).hover();
    await page.locator(".listing tr.pointed").first().waitFor();
    release();
    await page.waitForFunction(() => location.hash.includes("id%3A"));
    await settled();
    await hot.waitFor();
    await look("kernel-source");
    refused = true;
    await choose("saxpy.cu", readFileSync(join(root, "everyday", "saxpy.cu"), "utf8").replace("a *", "q *"));
    await page.locator(".wrong", { hasText: /^line 7: .*undefined/ }).waitFor();
    await look("kernel-source-wrong");
    refused = false;
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
    const shared = page.getByRole("slider", { name: /^Dynamic shared memory/ });
    await shared.focus();
    await page.keyboard.press("End");
    await page.waitForFunction(() => location.hash.includes("s_smem=49152"));  // the board's limit
    await settled();
    await expect("whatif: a slider ends where the board refuses", (await page.locator(".fault").count()) === 0);
    refused = true;
    await page.getByLabel("Any number of the GPU").pressSequentially("hw.nothing=1");  // taken as it is typed
    await page.locator(".fault").first().waitFor();
    await page.locator(".old .time").waitFor();
    await page.waitForTimeout(500);
    await expect("whatif: asks after a refusal", (await page.locator(".how").innerText()) === "");
    await look("whatif-wrong");
    refused = false;
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
