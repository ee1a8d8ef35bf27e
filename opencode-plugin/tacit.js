// Hands OpenCode's events to Tacit and what Tacit says back to the model. Made by `tacit install opencode`.
// Whatever goes wrong here stays here: the conversation goes on without the memory.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const INSTALLED = join(process.env.TACIT_HOME || join(homedir(), ".tacit"), "bin", "tacit")
const TACIT = existsSync(INSTALLED) ? INSTALLED : "tacit" // where nothing was installed, the one on the PATH
const TIMEOUT_MS = 10000

const ask = (event, payload) =>
  new Promise((done) => {
    const child = spawn(TACIT, ["hook", event, "--host", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
    })
    const parts = []
    child.on("error", () => done(""))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => parts.push(part))
    child.on("close", () => {
      try {
        done(JSON.parse(Buffer.concat(parts).toString("utf8")).additionalContext || "")
      } catch {
        done("")
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })

const id = () => "prt_" + Date.now().toString(36) + Math.random().toString(36).slice(2)

export const TacitPlugin = async ({ directory, client }) => {
  const isOfAgent = async (id) => {
    try {
      return Boolean((await client.session.get({ path: { id } })).data?.parentID)
    } catch {
      return false
    }
  }
  const started = new Map() // session → what it was told at its start, once, so that the prompt stays the same
  const wrote = new Set(["write", "edit", "patch", "multiedit"])
  return {
    "chat.message": async (input, output) => {
      if (await isOfAgent(input.sessionID)) return // what one agent says to another are no words of the user
      const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = typed.map((part) => part.text).join("\n")
      const said = await ask("prompt", { session_id: input.sessionID, cwd: directory, prompt, messageID: output.message.id })
      if (said)
        output.parts.push({
          id: id(),
          sessionID: input.sessionID,
          messageID: output.message.id,
          type: "text",
          text: said,
          synthetic: true,
        })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input.sessionID || ""
      if (!started.has(session)) started.set(session, ask("session-start", { session_id: session, cwd: directory }))
      const said = await started.get(session)
      if (said) output.system.push(said)
    },
    "tool.execute.after": async (input, output) => {
      if (!wrote.has(input.tool)) return
      const path = output.metadata?.filepath || input.args?.filePath || ""
      const said = await ask("post-tool", {
        session_id: input.sessionID,
        cwd: directory,
        tool_name: input.tool,
        tool_input: { filePath: path },
      })
      if (said) output.output = `${output.output}\n\n${said}`
    },
    "experimental.session.compacting": async (input) => {
      started.delete(input.sessionID || "")
      await ask("compact", { session_id: input.sessionID, cwd: directory })
    },
  }
}
