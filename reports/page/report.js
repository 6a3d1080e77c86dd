"use strict";
// Convenience only: the page says everything without it.

// What a link points to is opened, with all that it stands in.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", openTarget);
openTarget();

// A button that copies a command.
for (const box of document.querySelectorAll(".repeat")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    let said = "Copied";
    try { await navigator.clipboard.writeText(box.querySelector("code").textContent); } catch { said = "Not copied"; }
    button.textContent = said;
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  box.append(button);
}

// Where a picture is wider than the window, the names of the lanes stay in sight, and
// it begins where the finding is.
for (const box of document.querySelectorAll(".drawn")) {
  const svg = box.querySelector("svg"), names = box.querySelector(".names");
  const scale = () => svg.clientWidth / svg.viewBox.baseVal.width;
  box.addEventListener("scroll", () => {
    names.setAttribute("transform", `translate(${box.scrollLeft / scale()} 0)`);
  }, {passive: true});
  const decisive = box.querySelector("path.found, .limit .line");
  const seek = () => {
    if (!decisive || box.closest("details:not([open])") || box.scrollLeft || box.scrollWidth <= box.clientWidth) return;
    box.scrollLeft = decisive.getBBox().x * scale() - box.clientWidth * 0.7;
  };
  seek();
  for (let e = box.closest("details"); e; e = e.parentElement.closest("details")) e.addEventListener("toggle", seek);
}

// A field that leaves only the scenarios with a word, and those that did not pass.
const list = document.getElementById("scenario-list");
if (list.querySelector(".scenario")) {
  const form = document.createElement("p"), text = document.createElement("input"), bad = document.createElement("input");
  form.className = "filter";
  text.type = "search";
  text.placeholder = "filter: an ID or a word";
  text.setAttribute("aria-label", "Show only scenarios with this text");
  bad.type = "checkbox";
  const label = document.createElement("label"), count = document.createElement("output");
  label.append(bad, " only those that did not pass");
  form.append(text, label, count);
  list.querySelector("h2").after(form);
  const apply = () => {
    const word = text.value.trim().toLowerCase();
    let shown = 0;
    for (const s of list.querySelectorAll(".scenario")) {
      const summary = s.querySelector("summary").textContent.toLowerCase();
      const ids = s.querySelector(".judgements").textContent.toLowerCase();
      s.hidden = bad.checked && s.matches(".pass, .observed, .unsupported, .excluded") || !(summary + ids).includes(word);
      if (!s.hidden) shown++;
    }
    for (const g of list.querySelectorAll(".group")) g.hidden = !g.querySelector(".scenario:not([hidden])");
    count.textContent = word || bad.checked ? `${shown} shown` : "";
  };
  text.addEventListener("input", apply);
  bad.addEventListener("change", apply);
}

// On paper the findings and the requirements stand open.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details.finding:not([open]), details.topic:not([open])")];
  for (const d of opened) d.open = true;
});
addEventListener("afterprint", () => { for (const d of opened) d.open = false; });
