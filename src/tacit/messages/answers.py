"""What is said of a question and its answer, in a chat and to an agent, in both languages."""

ENGLISH = {
    "chat.applied": "Done: {decision} {note}.",
    "chat.declined": "Left as it was: {id}.",
    "chat.stays": "Still asked: {asked}. Put it to the user again; of several they say which: “yes, 2” or “no to all”.",
    "chat.asked_again": "The bank changed meanwhile, so {id} is asked anew.",
    "chat.decided_anew": "The bank changed meanwhile; nothing is left to ask.",
    "mcp.again": "That was none of the answers; please choose one.",
    "mcp.open": "{id} was not answered and stays open.",
    "mcp.settled": "{id} was already answered elsewhere.",
    "mcp.surer": "{id} can only be answered in a terminal: `tacit review`.",
    "mcp.ask": "Show the user this question; they answer in their next message, or with `tacit review`:",
    "mcp.ask_review": "Show the user this question; they answer it with `tacit review`:",
    "mcp.ask_team": "Nobody has answered this question yet; a reviewer of the team does, on the server's review page:",
    "mcp.surer_team": "{id} waits for a reviewer of the team: a form is not enough for it.",
    "mcp.branch": "It is on the branch {branch}, and reaches this memory once that is merged and pushed.",
    "mcp.patch": "It is a patch, at proposals/{id}/patch of the server, and reaches this memory once that is pushed.",
    "mcp.http": "MCP at {url} in the role {role}. Clients send the header: Authorization: Bearer {token}",
}

CHINESE = {
    "chat.applied": "已完成：{decision} {note}。",
    "chat.declined": "保持原样：{id}。",
    "chat.stays": "仍待回答：{asked}。请再问用户；有多条时，请其说明是哪条，如“写2”“全部不要”。",
    "chat.asked_again": "记忆库已有变化，{id} 需重新确认。",
    "chat.decided_anew": "记忆库已有变化，无需再确认。",
    "mcp.again": "刚才的回答不在选项中，请选择其中一项。",
    "mcp.open": "{id} 尚未回答，仍然保留。",
    "mcp.settled": "{id} 已在别处回答。",
    "mcp.surer": "{id} 只能在终端回答：`tacit review`。",
    "mcp.ask": "请把这个问题展示给用户；用户可在下一条消息中回答，或运行 `tacit review`：",
    "mcp.ask_review": "请把这个问题展示给用户；用户运行 `tacit review` 回答：",
    "mcp.ask_team": "这个问题还没有人回答；由团队的审阅者在服务器的审阅页面上回答：",
    "mcp.surer_team": "{id} 要等团队的审阅者回答：仅凭表单不够。",
    "mcp.branch": "改动在分支 {branch} 上；合并并推送之后，这份记忆才会知道它。",
    "mcp.patch": "改动是一个补丁，位于服务器的 proposals/{id}/patch；应用并推送之后，这份记忆才会知道它。",
    "mcp.http": "MCP 位于 {url}，角色 {role}。客户端须发送请求头：Authorization: Bearer {token}",
}
