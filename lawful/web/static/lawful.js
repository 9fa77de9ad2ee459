// Drags preferences into another order, and keeps the reader's place when a part of the page is replaced.
"use strict";
(() => {
  let dragged = null;
  const quoted = (name) => (/[",]/.test(name) ? '"' + name.replaceAll('"', '""') + '"' : name);
  const list = (event) => event.target.closest?.("#wishes");
  document.addEventListener("dragstart", (event) => {
    if (!list(event)) return;
    dragged = event.target.closest("li");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.wish);
  });
  document.addEventListener("dragover", (event) => {
    if (!dragged || !list(event)) return;
    event.preventDefault();
    const over = event.target.closest("li");
    for (const one of list(event).children) one.classList.toggle("over", one === over && one !== dragged);
  });
  document.addEventListener("drop", (event) => {
    const home = list(event);
    if (!dragged || !home) return;
    event.preventDefault();
    const over = event.target.closest("li");
    if (over && over !== dragged) {
      const below = [...home.children].indexOf(over) > [...home.children].indexOf(dragged);
      over[below ? "after" : "before"](dragged);
      const wishes = [...home.children].map((one) => quoted(one.dataset.wish)).join(", ");
      // A function: a name may have $ in it, which means something in a text that replaces another.
      const link = home.dataset.link.replace("best=%40", () => "best=" + encodeURIComponent(wishes));
      htmx.ajax("GET", link, { target: "#desk", select: "#desk", swap: "outerHTML show:none" });
    }
    dragged = null;
  });
  document.addEventListener("dragend", () => {
    dragged = null;
    document.querySelectorAll("#wishes .over").forEach((one) => one.classList.remove("over"));
  });
  document.addEventListener("keydown", (event) => {
    const pressed = event.key === " " && event.target.closest?.("a[role=button]");
    if (!pressed) return;
    event.preventDefault();
    pressed.click();
  });
  let place = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const now = document.activeElement;
    place = now && now.id ? "#" + CSS.escape(now.id) : now?.getAttribute?.("aria-label") || now?.textContent?.trim() || null;
  });
  const lost = document.getElementById("lost");
  for (const one of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(one, () => (lost.textContent = lost.dataset.says));
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) lost.textContent = ""; });
  document.addEventListener("htmx:afterSwap", () => {
    // What is new is read out: a place that was there before says it.
    document.getElementById("said").textContent = document.querySelector("#answer h1")?.textContent ?? "";
    if (matchMedia("(max-width: 46rem)").matches) document.getElementById("answer")?.scrollIntoView();
    if (!place) return;
    const again = place.startsWith("#")
      ? document.querySelector(place)
      : [...document.querySelectorAll("#desk a, #desk button")].find((one) => (one.getAttribute("aria-label") || one.textContent.trim()) === place);
    (again || document.getElementById("desk"))?.focus({ preventScroll: true });
  });
})();
