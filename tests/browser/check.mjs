// Opens letters in a browser as phones and desktops show them, and prints their faults.
//
//   node check.mjs FOLDER GOLDEN [SHOTS]
//
// FOLDER contains letters, one per file. GOLDEN contains pictures that a person has checked, named
// after letters. POSTRIDER_DRAW=1 takes them anew. All screenshots go to SHOTS. The exit code is 1 if
// - a page is wider than the screen, or cuts or overlaps text,
// - a link is too small for a thumb, or text is too small or has too little contrast,
// - a page loads anything from a server,
// - a page uses a feature that too few mail programs support,
// - the first button of a turn letter is too far down, or the letter is too long,
// - a letter looks different from its picture in GOLDEN, or
// - a subject is long without need, or the preheader repeats it, or a picture has no text.
// The figures of all letters are printed as a table.

import { readFileSync, readdirSync, writeFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { rawData } from "caniemail";
import { chromium } from "playwright-core";
import { pictureDifference } from "./picture_difference.mjs";

const [folder, golden, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const WIDTHS = [360, 390, 800];
const SCHEMES = ["light", "dark"];
const HTML_MAX = 60_000;
const TAP_MIN = 44;
const TYPE_MIN = 13;
// The share of mail programs that must support each feature of a letter, in percent.
const KNOWN_MIN = 60;
// The limits of turn letters from the middle of a game, in pixels on a phone of 390 pixels.
const TURN_LETTER = /-2-goes-on-/;
const BUTTON_TOP_MAX = 1300;
const TURN_HEIGHT_MAX = 2400;
const SUBJECT_CHARS_MAX = 40;
// The share of letters that may have longer subjects, in percent.
const LONG_SUBJECTS_MAX = 5;
// The size of a picture's smallest lettering, in pixels of the file (`FONT_SIZE_MIN`).
const LETTERING = 22;
const LETTERING_MIN = 10;
// The share of a letter's squares of 8 pixels that may differ from its golden picture, in percent.
// It allows for another version of the browser.
const DIFFERENCE_MAX = 1;
// Features that a letter does not depend on: without this one, the colours stay light.
const GAINS = new Set(["css-color-scheme"]);

const faults = [];
const fault = (letter, what) => faults.push(`${letter}: ${what}`);

/** The share of mail programs that support a feature at least partly, in percent, by its slug. */
const known = new Map(
  rawData.data.map(({ slug, stats }) => {
    const newest = Object.values(stats)
      .flatMap((platforms) => Object.values(platforms))
      .map((versions) => Object.values(versions).at(-1)?.[0])
      .filter((support) => support && support !== "u");
    const knows = newest.filter((support) => support === "y" || support === "a").length;
    return [slug, newest.length === 0 ? 100 : (100 * knows) / newest.length];
  }),
);

/** Returns the slugs of the features that the page uses. Runs in the page. */
function used() {
  const slugs = new Set();
  for (const one of document.querySelectorAll("*")) {
    slugs.add(`html-${one.tagName.toLowerCase()}`);
    for (const declaration of (one.getAttribute("style") ?? "").split(";")) {
      const [name, value] = declaration.split(":").map((part) => part?.trim());
      if (!name || !value) continue;
      slugs.add(`css-${name}`);
      slugs.add(`css-${name.split("-")[0]}`);
      slugs.add(`css-${name}-${value.split(" ")[0]}`);
    }
    for (const name of one.getAttributeNames()) slugs.add(`html-${name}`);
  }
  return [...slugs];
}

/** Returns the faults of the page in its current state. Runs in the page. */
function look({ tapMin, typeMin }) {
  const wrong = [];
  const shown = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden") return false;
    return element.getClientRects().length > 0;
  };
  const root = document.documentElement;
  if (root.scrollWidth > window.innerWidth) {
    const widest = [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map((one) => `<${one.tagName.toLowerCase()}> ${one.textContent.trim().slice(0, 40)}`);
    wrong.push(`is ${root.scrollWidth} wide: ${widest.at(-1) ?? "?"}`);
  }
  for (const one of document.querySelectorAll("body *")) {
    const style = getComputedStyle(one);
    if (!shown(one) || one.closest("[style*='max-height:0']")) continue;
    const cuts = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (cuts && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)) {
      wrong.push(`cuts <${one.tagName.toLowerCase()}> ${one.textContent.trim().slice(0, 40)}`);
    }
  }
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.textContent.trim();
    if (!text || !shown(node.parentElement)) continue;
    if (node.parentElement.closest("[style*='max-height:0']")) continue;
    const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
    if (size < typeMin) wrong.push(`text of ${size}px: ${text.slice(0, 40)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width > 0 && box.height > 0) words.push({ node, text, box });
    }
  }
  for (let a = 0; a < words.length; a += 1) {
    for (let b = a + 1; b < words.length; b += 1) {
      if (words[a].node === words[b].node) continue;
      const [one, two] = [words[a].box, words[b].box];
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      // Adjacent boxes may overlap a little, because letters are lower than their boxes.
      if (wide > 2 && high > 6) {
        wrong.push(`${words[a].text.slice(0, 30)} overlaps ${words[b].text.slice(0, 30)}`);
      }
    }
  }
  for (const link of document.querySelectorAll("a[href]")) {
    if (!shown(link)) continue;
    const { height, width } = link.getBoundingClientRect();
    if (height < tapMin || width < tapMin) {
      const size = `${Math.round(width)}x${Math.round(height)}`;
      wrong.push(`link too small for a thumb, ${size}: ${link.textContent.trim()}`);
    }
  }
  return [...new Set(wrong)];
}

/** Returns the figures of the page on a phone. Runs in the page. */
function measure(lettering) {
  const top = (one) => (one ? Math.round(one.getBoundingClientRect().top + window.scrollY) : null);
  const picture = document.querySelector("img");
  const hidden = document.querySelector("[style*='max-height:0']");
  const words = document.body.innerText.split(/\s+/).filter(Boolean).length;
  return {
    button: top(document.querySelector("td.t")),
    height: document.documentElement.scrollHeight,
    words,
    lettering: picture?.naturalWidth ? (lettering * picture.width) / picture.naturalWidth : null,
    alts: [...document.querySelectorAll("img")].map((image) => image.alt),
    preheader: hidden.textContent.replace(/[\s\u034f]+/g, " ").trim(),
  };
}

/**
 * Returns the serious accessibility faults that axe finds in the current page, and the lowest
 * contrast of its texts.
 */
async function accessible(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(() =>
    // With `colours off`, a letter leaves all colours to the mail program, so there is no contrast
    // to check. axe would also assume a white page in dark mode.
    window.axe.run(document, {
      resultTypes: ["violations", "passes"],
      rules: { "color-contrast": { enabled: document.body.style.color !== "" } },
    }).then((result) => {
      const contrasts = result.passes
        .filter(({ id }) => id === "color-contrast")
        .flatMap(({ nodes }) => nodes)
        .map(({ any }) => any[0]?.data?.contrastRatio)
        .filter(Boolean);
      const contrast = contrasts.length > 0 ? Math.min(...contrasts) : null;
      const wrong = result.violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => {
          const first = nodes[0];
          const why = first.any.concat(first.all, first.none)[0]?.message ?? "";
          return `${id}: ${first.html.slice(0, 90)} ${why} (${nodes.length})`;
        });
      return { wrong, contrast };
    }),
  );
  return found;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
});

let pages = 0;
let withHtml = 0;

const unseen = new Set(readdirSync(golden));

/** Compares the shown letter with its golden picture, if it has one. */
async function compare(letter, page) {
  const name = `${letter}.png`;
  if (!unseen.delete(name)) return;
  const shown = await page.screenshot({ fullPage: true });
  const path = join(golden, name);
  if (process.env.POSTRIDER_DRAW) writeFileSync(path, shown);
  const share = await pictureDifference(page, [readFileSync(path), shown]);
  if (share > DIFFERENCE_MAX) {
    fault(letter, `${share.toFixed(1)} % of it differs from its golden picture`);
  }
}

const rows = [];

/** Notes the figures of a letter on a phone, and those beyond the limits as faults. */
function noteFigures(letter, subject, figures, contrast) {
  const { button, height, words, lettering, alts, preheader } = figures;
  rows.push([letter, button ?? "-", height, words, lettering?.toFixed(1) ?? "-", contrast ?? "-",
    alts[0]?.length ?? "-", subject.length]);
  if (TURN_LETTER.test(letter) && button !== null) {
    if (button > BUTTON_TOP_MAX) fault(letter, `the first button is ${button} px down`);
    if (height > TURN_HEIGHT_MAX) fault(letter, `${height} px high`);
  }
  if (lettering !== null && lettering < LETTERING_MIN) {
    fault(letter, `lettering of ${lettering.toFixed(1)} px`);
  }
  if (alts.some((alt) => alt.trim() === "")) fault(letter, "a picture has no text");
  const said = subject.replace(/^\[[^\]]*\] /, "").toLowerCase();
  if (preheader === "") fault(letter, "has no preheader");
  if (preheader.toLowerCase().startsWith(said)) fault(letter, `repeats its subject: ${preheader}`);
}

/** Checks one letter. Reuses a page that has shown other letters. */
async function check(file, page) {
  const letter = file.replace(/\.eml$/, "");
  const parsed = await PostalMime.parse(readFileSync(join(folder, file)));
  if (!parsed.text?.trim()) fault(letter, "has no text");
  if (!parsed.html) return;
  withHtml += 1;
  const bytes = Buffer.byteLength(parsed.html);
  if (bytes > HTML_MAX) fault(letter, `${bytes} bytes of HTML`);
  const images = new Map(
    parsed.attachments.filter((part) => part.contentId).map((part) => [
      part.contentId.replace(/^<|>$/g, ""),
      `data:${part.mimeType};base64,${Buffer.from(part.content).toString("base64")}`,
    ]),
  );
  const source = (_, id) => `src="${images.get(id) ?? ""}"`;
  const drawn = parsed.html.replace(/src="cid:([^"]+)"/g, source);
  const blocked = parsed.html.replace(/src="cid:[^"]+"/g, 'src="data:,"');
  const states = images.size > 0 ? [["", drawn], [" without pictures", blocked]] : [["", drawn]];
  for (const colorScheme of SCHEMES) {
    for (const [how, html] of states) {
      const asked = [];
      const note = (request) => {
        if (!/^(data|about):/.test(request.url())) asked.push(request.url());
      };
      page.on("request", note);
      await page.emulateMedia({ colorScheme });
      await page.setContent(html, { waitUntil: "load" });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        pages += 1;
        const where = `${width} px, ${colorScheme}${how}`;
        const wrong = await page.evaluate(look, { tapMin: TAP_MIN, typeMin: TYPE_MIN });
        wrong.forEach((what) => fault(letter, `${where}: ${what}`));
        if (shots && width !== 360) {
          const name = `${letter}-${width}-${colorScheme}${how.replaceAll(" ", "-")}.png`;
          await page.screenshot({ path: join(shots, name), fullPage: true });
        }
      }
      for (const slug of await page.evaluate(used)) {
        const share = known.get(slug) ?? 100;
        if (share < KNOWN_MIN && !GAINS.has(slug)) {
          fault(letter, `${slug} is supported by ${Math.round(share)} % of mail programs`);
        }
      }
      if (!how) {
        await page.setViewportSize({ width: 390, height: 844 });
        const { wrong, contrast } = await accessible(page);
        wrong.forEach((what) => fault(letter, `${colorScheme}: ${what}`));
        if (colorScheme === "light") {
          const figures = await page.evaluate(measure, LETTERING);
          noteFigures(letter, parsed.subject ?? "", figures, contrast);
          await compare(letter, page);
        }
      }
      asked.forEach((url) => fault(letter, `loads ${url}`));
      page.off("request", note);
    }
  }
}

// One worker per processor. Each reuses one page, because a new page starts a process.
const letters = readdirSync(folder).filter((name) => name.endsWith(".eml")).sort().reverse();
const worker = async () => {
  const page = await browser.newPage();
  for (let file = letters.pop(); file; file = letters.pop()) await check(file, page);
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));
await browser.close();

const header = ["letter", "button", "height", "words", "lettering", "contrast", "alt", "subject"];
console.log("First button, height and lettering in pixels; alt and subject in characters");
for (const row of [header, ...rows.sort()]) {
  console.log(row.map((cell, at) => (at ? String(cell).padStart(9) : cell.padEnd(50))).join(" "));
}
const longer = rows.filter((row) => row.at(-1) > SUBJECT_CHARS_MAX);
if (100 * longer.length > LONG_SUBJECTS_MAX * rows.length) {
  longer.forEach(([letter]) => fault(letter, "the subject is long"));
}
unseen.forEach((name) => fault(name, "no letter has this name"));
faults.sort();

const most = 60;
faults.slice(0, most).forEach((one) => console.error(one));
if (faults.length > most) console.error(`and ${faults.length - most} more`);
console.log(`${withHtml} letters in HTML, ${pages} pages: ${faults.length} faults`);
if (withHtml === 0) console.error("no letter has HTML");
process.exit(faults.length > 0 || withHtml === 0 ? 1 : 0);
