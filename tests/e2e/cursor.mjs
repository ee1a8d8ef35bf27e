// Hand prompts to an agent of Cursor's SDK, one after the other: node cursor.mjs SDK-FOLDER AGENT-ID|- PROMPT…
// Prints the agent's id first, and what became of each prompt.
const [folder, known, ...prompts] = process.argv.slice(2);
const { Agent, Cursor } = await import(`${folder}/dist/esm/index.js`);
Cursor.configure({ local: { useHttp1ForAgent: true } });
const wish = {
  apiKey: "none",
  model: { id: "none" },
  local: { cwd: process.cwd(), settingSources: ["project", "user"] },
};
const agent = known === "-" ? await Agent.create(wish) : await Agent.resume(known, wish);
console.log(agent.agentId);
for (const prompt of prompts) {
  // A run that the process before this one left open is over: that process is.
  const run = await agent.send(prompt, { local: { force: true } });
  for await (const event of run.stream()) if (event.status) console.log(event.status, event.message ?? "");
}
process.exit(0);
