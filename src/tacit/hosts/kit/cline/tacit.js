// Hands the prompts of Cline to Tacit and what Tacit says back to the model. Made by `tacit install cline`.
// Whatever goes wrong here stays here: the conversation goes on without the memory.
import { spawn } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"

const TACIT = join(process.env.TACIT_HOME || join(homedir(), ".tacit"), "bin", "tacit")
const TIMEOUT_MS = 2500 // Cline gives a plugin's hook three seconds

const ask = (event, payload) =>
  new Promise((done) => {
    const child = spawn(TACIT, ["hook", event, "--host", "cline"], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
    })
    const parts = []
    child.on("error", () => done(""))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => parts.push(part))
    child.on("close", () => {
      try {
        done(JSON.parse(Buffer.concat(parts).toString("utf8")).contextModification || "")
      } catch {
        done("")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })

// The words of the user that this run is to answer: none of Cline's own messages, none of an earlier run.
const typed = (messages) => {
  const answered = messages.findLastIndex((message) => message.role === "assistant")
  return messages
    .slice(answered + 1)
    .filter((message) => message.role === "user" && message.metadata?.displayRole !== "system")
    .flatMap((message) => message.content.filter((part) => part.type === "text").map((part) => part.text))
    .join("\n")
    .replace(/^\s*<user_input[^>]*>([\s\S]*)<\/user_input>\s*$/, "$1")
}

const started = new Set() // conversations that were told what a session is told at its start

// Wakes Tacit while the user is still typing: an event at which it says and keeps nothing.
ask("session-end", { workspaceRoots: [process.cwd()] })

export default {
  name: "tacit",
  manifest: { capabilities: ["hooks"] },
  hooks: {
    beforeRun: async ({ snapshot }) => {
      if (snapshot.parentAgentId) return // what one agent says to another are no words of the user
      const session = snapshot.conversationId || ""
      const known = { session_id: session, workspaceRoots: [process.cwd()] }
      const [start, prompt] = await Promise.all([
        started.has(session) ? "" : ask("session-start", known),
        ask("prompt", { ...known, turn_id: snapshot.runId, prompt: typed(snapshot.messages) }),
      ])
      if (start) started.add(session)
      const said = [start, prompt].filter(Boolean).join("\n\n")
      return said ? { appendContext: said } : undefined
    },
  },
}
