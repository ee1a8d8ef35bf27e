// Keys, news and search while typing. Everything on the page works without it, by links and forms.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const words = () => $("#texts").dataset;
let quietUntil = 0; // keys are not heard for a moment after the page changed under the reader's eyes

// The link worked once and is of no more use; what was told is told once.
const address = new URL(location.href);
if (address.pathname === "/open") history.replaceState(null, "", "/");
else if (address.searchParams.has("told")) {
  address.searchParams.delete("told");
  history.replaceState(null, "", address);
}

function tell(text, href) {
  const box = document.createElement("div");
  const line = document.createElement("p");
  box.className = "told";
  line.textContent = text;
  box.append(line);
  if (href) {
    const link = document.createElement("a");
    link.className = "button";
    link.href = href;
    link.textContent = "→";
    link.setAttribute("aria-label", text);
    box.append(link);
  }
  $("#told").replaceChildren(box);
}

async function look(href) {
  const answer = await fetch(href, { headers: { "X-Purpose": "refresh" } });
  if (!answer.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// What takes the place of something holds the link on which the reader was.
function take(page, selector) {
  const now = $(selector), next = page && $(selector, page);
  if (!now || !next) return;
  const held = now.contains(document.activeElement) && document.activeElement.getAttribute("href");
  now.replaceWith(document.importNode(next, true));
  if (held) $(`${selector} [href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

// ── News ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const busy = () =>
  $(".editor") || $("dialog[open]") || $("main details[open]") || !getSelection().isCollapsed ||
  document.activeElement?.matches("main input, main select, main textarea");

// Not `scrollIntoView`: Tab would go on from there, past the beginning of the page.
function show() {
  const row = $("#waiting [aria-current]"), list = row?.closest("#waiting");
  if (list) list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - 60;
}

async function refresh() {
  const before = new Set($$("#waiting [data-row]").map((row) => row.getAttribute("href")));
  const inbox = document.body.dataset.part === "inbox";
  const reading = inbox && $("#waiting [aria-current]")?.getAttribute("href");
  const still = await look(reading || (inbox ? "/" : location.href));
  const page = still || (reading && await look("/"));
  if (!page) return;
  take(page, "#waiting-count");
  take(page, ".state");
  if (!inbox) {
    if (!busy()) take(page, "#main");
    return;
  }
  if (!$("#proposal")) {
    take(page, "#main");
    quietUntil = Date.now() + 800;
  } else {
    // The question that is being read stays; only the list around it changes.
    take(page, "#waiting");
    show();
    if (!still) {
      $("#waiting [aria-current]")?.removeAttribute("aria-current");
      $("#waiting .here")?.classList.remove("here");
      for (const button of $$(".answers button")) button.disabled = true;
      tell(words().gone, "/");
      return;
    }
  }
  if ($$("#waiting [data-row]").some((row) => !before.has(row.getAttribute("href")))) tell(words().arrived);
}

show();
let seen = document.body.dataset.pulse;
let looks = null;
let lost = 0;
let news = null;

function listen() {
  news = new EventSource("/live");
  news.onmessage = async ({ data }) => {
    const cut = data.lastIndexOf(".");
    const pulse = data.slice(0, cut), round = data.slice(cut + 1);
    const ended = looks !== null && round !== looks && $("[data-busy]");
    looks = round;
    if (pulse === seen && !ended) return;
    seen = pulse;
    await refresh();
  };
  news.onopen = () => { lost = 0; };
  news.onerror = () => { if (++lost === 3 || news.readyState === EventSource.CLOSED) tell(words().offline); };
}

// Only what is looked at listens: a browser opens six connections to a server, and a seventh page would never come.
listen();
document.addEventListener("visibilitychange", () => {
  news.close();
  if (!document.hidden) listen();
});
window.addEventListener("pagehide", () => news.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// ── Search while typing ──────────────────────────────────────────────────────────────────────────────────────────────

let timer = 0;
let asked = 0;
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-live]")) return;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const mine = ++asked;
    const href = `/search?words=${encodeURIComponent(target.value)}`;
    const page = await look(href);
    if (mine !== asked) return;
    take(page, "#found");
    history.replaceState(null, "", href);
  }, 200);
});

// ── Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const parts = { i: "/", n: "/notes", s: "/search", h: "/health", a: "/audit", t: "/tasks" };
const keysOn = $("#keys-on");
keysOn.checked = localStorage.getItem("keys") !== "off";
keysOn.addEventListener("change", () => localStorage.setItem("keys", keysOn.checked ? "on" : "off"));
let going = false;

function step(by) {
  const rows = $$("[data-row]");
  if (!rows.length) return;
  const inbox = document.body.dataset.part === "inbox";
  const at = rows.findIndex((row) => (inbox ? row.hasAttribute("aria-current") : row === document.activeElement));
  const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
  if (inbox && at !== rows.indexOf(next)) next.click();
  else if (!inbox) next.focus();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (event.key === "?" ) {
    $("#keys").showModal();
    event.preventDefault();
    return;
  }
  if (!keysOn.checked || $("dialog[open]") || event.repeat || Date.now() < quietUntil) return;
  if (going) {
    going = false;
    if (parts[event.key]) location.href = parts[event.key];
    return;
  }
  const button = $$("[data-key]").find((one) => one.dataset.key === event.key && !one.disabled);
  if (event.key === "g") going = true;
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "d") {
    const differences = $$("details[data-diff]");
    const open = differences.some((one) => one.open);
    for (const one of differences) one.open = !open;
  } else if (event.key === "/") {
    const search = $("[data-search]");
    if (search) search.focus();
    else location.href = "/search";
  } else if (button) button.click();
  else return;
  event.preventDefault();
});

// An answer is sent once, however often its key is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});

// What was typed and not saved is not left behind unasked.
window.addEventListener("beforeunload", (event) => {
  const text = $(".editor textarea");
  if (text && text.value !== text.defaultValue && !text.form.dataset.sent) event.preventDefault();
});

document.body.dataset.ready = "yes";
