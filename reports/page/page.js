"use strict";
// Everything here is a convenience: the page is whole without it.

// A link to something inside a closed part opens it.
function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  for (let at = target; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// Commands can be copied.
for (const line of document.querySelectorAll(".repeat")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(line.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  line.append(button);
}

// On paper every finding is open.
addEventListener("beforeprint", () => {
  for (const place of document.querySelectorAll(".finding details")) place.open = true;
});
