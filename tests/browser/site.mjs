// Opens the pages of a web site in a browser, from the disk, and prints their faults.
//
//   node site.mjs SITE GOLDEN [SHOTS]
//
// SITE is a folder that `postrider site` wrote. GOLDEN contains pictures of its pages that a person
// has checked. POSTRIDER_DRAW=1 takes them anew. All screenshots go to SHOTS. The exit code is 1 if
// - a page is wider than the screen, loads anything from elsewhere, or violates its policy,
// - axe finds a serious fault,
// - a link or a picture leads nowhere,
// - the buttons, the slider, the keys or the address do not step through the records,
// - a page does not show everything without JavaScript, or
// - a page looks different from its picture in GOLDEN.

import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { pictureDifference } from "./picture_difference.mjs";

const [folder, golden, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const WIDTHS = [360, 1280];
const SCHEMES = ["light", "dark"];
// The share of a page's squares of 8 pixels that may differ from its golden picture, in percent. It
// allows for another version of the browser.
const DIFFERENCE_MAX = 1;
// The height of the part of a page that is compared, in pixels.
const GOLDEN_HEIGHT_MAX = 2_000;
const PAGE_BYTES_MAX = 60_000;
const PICTURE_BYTES_MAX = 30_000;
const SCRIPT_BYTES_MAX = 8_000;

const faults = [];
const fault = (page, what) => faults.push(`${page}: ${what}`);
const check = (page, isRight, what) => isRight || fault(page, what);

const listFiles = (within) =>
  readdirSync(within).flatMap((name) => {
    const path = join(within, name);
    return statSync(path).isDirectory() ? listFiles(path) : [relative(folder, path)];
  });
const files = listFiles(folder).sort();
const pages = files.filter((file) => file.endsWith(".html"));
const urlOf = (file) => pathToFileURL(resolve(folder, file)).href;
for (const file of files) {
  const { size } = statSync(join(folder, file));
  if (file.endsWith(".svg")) check(file, size <= PICTURE_BYTES_MAX, `${size} bytes`);
  if (file.endsWith(".js")) check(file, size <= SCRIPT_BYTES_MAX, `${size} bytes`);
  if (file.endsWith(".html")) check(file, size <= PAGE_BYTES_MAX, `${size} bytes`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});
const blank = await browser.newPage();
const unseen = new Set(existsSync(golden) ? readdirSync(golden) : []);

/** Opens a new tab that notes requests to elsewhere, missing files and violations of the policy. */
async function openTab(file, options) {
  const tab = await browser.newPage(options);
  tab.on("request", (request) => {
    if (!request.url().startsWith("file:")) fault(file, `loads ${request.url()}`);
  });
  tab.on("requestfailed", (request) => fault(file, `does not load ${request.url()}`));
  tab.on("console", (message) => {
    if (message.type() === "error") fault(file, message.text());
  });
  tab.on("pageerror", (error) => fault(file, error.message));
  return tab;
}

/** Returns the addresses of all links and loaded files. Runs in the page. */
const addresses = () =>
  [...document.querySelectorAll("[href], [src]")].map((one) => one.href ?? one.src);

async function checkLinks(file, tab) {
  for (const address of await tab.evaluate(addresses)) {
    const url = new URL(address);
    if (url.protocol !== "file:") {
      check(file, url.protocol === "mailto:" || url.protocol === "https:", `links to ${address}`);
      continue;
    }
    const target = fileURLToPath(new URL(url.pathname, "file:"));
    check(file, existsSync(target) && statSync(target).isFile(), `dead link ${address}`);
    if (url.hash && existsSync(target)) {
      const text = readFileSync(target, "utf8");
      check(file, text.includes(` id="${url.hash.slice(1)}"`), `dead link ${address}`);
    }
  }
}

/** Returns the serious accessibility faults that axe finds in the current page. */
async function accessibilityFaults(tab) {
  if (!(await tab.evaluate(() => "axe" in window))) await tab.evaluate(axe);
  return tab.evaluate(() =>
    window.axe.run(document, { resultTypes: ["violations"], preload: false }).then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 90)} (${nodes.length})`),
    ),
  );
}

async function compare(name, shown) {
  unseen.delete(name);
  const path = join(golden, name);
  if (shots) writeFileSync(join(shots, name), shown);
  if (process.env.POSTRIDER_DRAW) writeFileSync(path, shown);
  if (!existsSync(path)) return fault(name, "has no golden picture");
  const share = await pictureDifference(blank, [readFileSync(path), shown]);
  if (share > DIFFERENCE_MAX) {
    fault(name, `${share.toFixed(1)} % of it differs from its golden picture`);
  }
}

/** Checks the look of a page in all widths and schemes. */
async function checkLook(file) {
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      const tab = await openTab(file, { viewport: { width, height: 844 }, colorScheme });
      await tab.goto(urlOf(file));
      await loadPictures(tab);
      const where = `${width} px, ${colorScheme}`;
      const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
      check(file, wide <= width, `${where}: is ${wide} wide`);
      (await accessibilityFaults(tab)).forEach((what) => fault(file, `${where}: ${what}`));
      if (colorScheme === "light") {
        const name = `${file.replace(/(\/index)?\.html$/, "").replaceAll("/", "-")}-${width}.png`;
        const height = await tab.evaluate(() => document.documentElement.scrollHeight);
        const clip = { x: 0, y: 0, width, height: Math.min(height, GOLDEN_HEIGHT_MAX) };
        await compare(name, await tab.screenshot({ fullPage: true, clip }));
      }
      if (width === WIDTHS[0] && colorScheme === SCHEMES[0]) await checkLinks(file, tab);
      await tab.close();
    }
  }
}

/** Waits for all shown pictures, and returns the names of those without content. */
async function loadPictures(tab) {
  return tab.evaluate(async () => {
    const shown = [...document.images].filter((image) => image.getClientRects().length > 0);
    shown.forEach((image) => (image.loading = "eager"));
    await Promise.allSettled(shown.map((image) => image.decode()));
    return shown.filter((image) => image.naturalWidth === 0).map((image) => image.src);
  });
}

/** Returns the records that the page shows, and the state of the controls. Runs in the page. */
const stepState = () => ({
  shown: [...document.querySelectorAll("section")]
    .filter((record) => record.getClientRects().length > 0)
    .map((record) => record.id),
  hash: location.hash,
  value: document.querySelector("#steps input").value,
  says: document.querySelector("#steps output").textContent,
  top: document.querySelector("#steps").getBoundingClientRect().top,
});

async function checkSteps(file) {
  const tab = await openTab(file, { viewport: { width: 390, height: 844 } });
  await tab.goto(urlOf(file));
  const ids = await tab.evaluate(() => [...document.querySelectorAll("section")].map(({ id }) => id));
  const last = ids.length - 1;
  const expect = async (at, how) => {
    const { shown, hash, value, says, top } = await tab.evaluate(stepState);
    const right = shown.length === 1 && shown[0] === ids[at] && hash === `#${ids[at]}`;
    check(file, right, `${how} shows ${shown.slice(0, 3)} at ${hash}, not ${ids[at]}`);
    check(file, Number(value) === at && says.startsWith(ids[at]), `${how}: the slider is wrong`);
    check(file, top > -2 && top < 844, `${how}: the controls are at ${top}`);
    const empty = await loadPictures(tab);
    check(file, empty.length === 0, `${how}: no picture ${empty}`);
  };
  check(file, (await tab.evaluate(stepState)).hash === "", "changes the address without a step");
  await tab.click('[data-step="first"]');
  await expect(0, "first");
  await tab.click('[data-step="next"]');
  await expect(1, "next");
  await tab.click('[data-step="last"]');
  await expect(last, "last");
  await tab.click('[data-step="next"]', { force: true });
  await expect(last, "next at the end");
  await tab.click('[data-step="back"]');
  await expect(last - 1, "back");
  await tab.keyboard.press("ArrowLeft");
  await expect(last - 2, "left");
  await tab.keyboard.press("ArrowRight");
  await expect(last - 1, "right");
  for (const key of ["Control+ArrowLeft", "Shift+ArrowLeft", "Meta+ArrowLeft", "a"]) {
    await tab.keyboard.press(key);
    await expect(last - 1, key);
  }
  await tab.focus("#steps input");
  await tab.keyboard.press("ArrowLeft");
  await expect(last - 2, "left on the slider");
  await tab.focus('[data-step="next"]');
  await tab.keyboard.press("Enter");
  await expect(last - 1, "enter on a button");
  await tab.evaluate((to) => (location.hash = to), `#${ids[1]}`);
  await tab.waitForTimeout(50);
  await expect(1, "a changed address");
  await tab.goto("about:blank");
  await tab.goto(`${urlOf(file)}#${ids[2]}`);
  await expect(2, "an address with a record");
  await tab.click('[data-step="all"]');
  const { shown } = await tab.evaluate(stepState);
  check(file, shown.length === ids.length, `all moves shows ${shown.length}`);
  await tab.close();
}

async function checkWithoutScript(file) {
  const tab = await openTab(file, { javaScriptEnabled: false });
  await tab.goto(urlOf(file));
  const records = await tab.locator("section").all();
  for (const record of records) {
    check(file, await record.isVisible(), "hides a record without JavaScript");
  }
  check(file, !(await tab.locator("#steps").isVisible()), "shows controls without JavaScript");
  await tab.close();
}

for (const file of pages) {
  await checkLook(file);
  if (!readFileSync(join(folder, file), "utf8").includes('id="steps"')) continue;
  await checkSteps(file);
  await checkWithoutScript(file);
}
await browser.close();

unseen.forEach((name) => fault(name, "no page has this name"));
faults.sort().forEach((one) => console.error(one));
console.log(`${pages.length} pages of a web site: ${faults.length} faults`);
process.exit(faults.length > 0 || pages.length === 0 ? 1 : 0);
