// Shows the records of a game one at a time, with buttons, a slider and the arrow keys. The page
// shows all records if this script does not run.
"use strict";

(() => {
  const panel = document.getElementById("steps");
  const records = [...document.querySelectorAll("section[id]")];
  if (!panel || records.length === 0) return;
  const slider = panel.querySelector("input");
  const output = panel.querySelector("output");
  const button = (name) => panel.querySelector(`[data-step="${name}"]`);
  const last = records.length - 1;
  let current = last;
  let showsAll = false;

  /** Returns the position of the record that the address names, or -1. */
  const named = () => records.findIndex((record) => `#${record.id}` === location.hash);

  const refresh = () => {
    records.forEach((record, at) => {
      record.hidden = !showsAll && at !== current;
      // The next pictures are loaded early, so that no step shows an empty place.
      if (Math.abs(at - current) > 1) return;
      record.querySelectorAll("img").forEach((image) => {
        image.loading = "eager";
        image.decoding = "sync";
      });
    });
    const number = records[current].id;
    slider.value = current;
    slider.setAttribute("aria-valuetext", number);
    output.textContent = `${number} / ${records[last].id}`;
    // Disabled buttons would lose the focus of the keyboard.
    const ends = { first: 0, back: 0, next: last, last };
    for (const [name, end] of Object.entries(ends)) {
      button(name).setAttribute("aria-disabled", current === end);
    }
    button("all").setAttribute("aria-pressed", showsAll);
  };

  const step = (to) => {
    current = Math.min(Math.max(to, 0), last);
    refresh();
    try {
      history.replaceState(null, "", `#${records[current].id}`);
    } catch {
      // Some browsers limit the number of changes per second. The next step sets the address.
    }
    const shown = showsAll ? records[current] : panel;
    const { top, bottom } = shown.getBoundingClientRect();
    if (showsAll || bottom < 0 || top > window.innerHeight / 2) shown.scrollIntoView();
  };

  const open = () => {
    const at = named();
    if (at < 0) return;
    current = at;
    refresh();
    (showsAll ? records[current] : panel).scrollIntoView();
  };

  const targets = { first: () => 0, back: () => current - 1, next: () => current + 1,
    last: () => last };
  for (const [name, target] of Object.entries(targets)) {
    button(name).addEventListener("click", () => step(target()));
  }
  button("all").addEventListener("click", () => {
    showsAll = !showsAll;
    refresh();
  });
  slider.addEventListener("input", () => step(Number(slider.value)));
  window.addEventListener("hashchange", open);
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.defaultPrevented || target.closest?.("input, select, textarea, [contenteditable]")) {
      return;
    }
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    event.preventDefault();
    step(current + (key === "ArrowLeft" ? -1 : 1));
  });

  slider.max = last;
  panel.hidden = false;
  refresh();
  open();
})();
