const box = document.querySelector("input"), found = document.querySelector("#found");
const { up, lang, none } = box.dataset;
box.addEventListener("focus", () => { if (!window.PAGES) {
  const script = document.createElement("script"); script.src = up + "search.js"; script.onload = show;
  document.head.append(script) } }, { once: true });
box.addEventListener("input", show);
function show() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  if (!words.length || !window.PAGES) return;
  const hits = PAGES.filter(page => page.lang === lang && words.every(word => page.text.includes(word)));
  const weight = page => words.filter(word => page.title.toLowerCase().includes(word)).length;
  hits.sort((one, other) => weight(other) - weight(one));
  for (const page of hits.slice(0, 12)) {
    const line = document.createElement("li"), link = document.createElement("a");
    link.href = up + page.url; link.textContent = page.title; line.append(link); found.append(line) }
  if (!hits.length) found.textContent = none;
}
