"""What the rules are called in English and Chinese."""

from __future__ import annotations

from tacit.guards.secret_rules import FORMATS

_ISSUERS = {each.rule: each.issuer for each in FORMATS}
_LABELS = {
    "too-long": ("text that is too long to be checked", "过长而无法检查的文本"),
    # Secrets
    "private-key": ("private key", "私钥"),
    "jwt": ("signed token (JWT)", "签名令牌（JWT）"),
    "url-password": ("password in an address", "网址中的密码"),
    "authorization": ("credentials of an Authorization header", "Authorization 头中的凭据"),
    "command-password": ("password in a command", "命令中的密码"),
    "connection-string": ("password in a connection string", "连接字符串中的密码"),
    "netrc-password": ("password of a netrc file", "netrc 文件中的密码"),
    "registry-token": ("token of a package or image registry", "软件包或镜像仓库的令牌"),
    "slack-webhook": ("Slack webhook", "Slack Webhook 地址"),
    "discord-webhook": ("Discord webhook", "Discord Webhook 地址"),
    "teams-webhook": ("Teams webhook", "Teams Webhook 地址"),
    "feishu-webhook": ("Feishu webhook", "飞书机器人地址"),
    "dingtalk-webhook": ("DingTalk webhook", "钉钉机器人地址"),
    "wecom-webhook": ("WeCom webhook", "企业微信机器人地址"),
    "telegram-token": ("Telegram bot token", "Telegram 机器人令牌"),
    "azure-secret": ("Azure client secret", "Azure 客户端密钥"),
    "azure-signature": ("signature of a shared address (SAS)", "共享访问签名（SAS）"),
    "terraform-token": ("Terraform token", "Terraform 令牌"),
    "mailchimp-key": ("Mailchimp key", "Mailchimp 密钥"),
    "one-password-key": ("1Password secret key", "1Password 密钥"),
    "maxmind-key": ("MaxMind key", "MaxMind 密钥"),
    "aws-secret-key": ("AWS secret access key", "AWS 访问密钥"),
    "password": ("what looks like a password", "疑似密码"),
    "credential": ("what looks like a key or token", "疑似密钥或令牌"),
    # Personal data
    "card": ("card number", "银行卡号"),
    "iban": ("bank account (IBAN)", "银行账号（IBAN）"),
    "cn-id": ("Chinese identity number", "中国居民身份证号"),
    "us-ssn": ("US social security number", "美国社会安全号码"),
    "br-cpf": ("Brazilian taxpayer number (CPF)", "巴西税号（CPF）"),
    "kr-rrn": ("Korean resident number", "韩国居民登记号"),
    "fr-nir": ("French social security number", "法国社会保障号"),
    "es-dni": ("Spanish identity number", "西班牙身份证号"),
    "tw-id": ("Taiwanese identity number", "台湾身份证号"),
    "uk-nino": ("UK national insurance number", "英国国民保险号"),
    "emails": ("list of e-mail addresses", "成批的电子邮件地址"),
    "phones": ("list of phone numbers", "成批的电话号码"),
    # Deceptive Unicode
    "direction": ("character that turns the direction of reading", "改变阅读方向的字符"),
    "tag-characters": ("invisible tag characters", "不可见的标签字符"),
    "control-character": ("control character", "控制字符"),
    "private-use": ("private-use character", "私用区字符"),
    "variation-selector": ("stray variation selector", "异常的变体选择符"),
    "invisible": ("invisible character", "不可见字符"),
    "mixed-script": ("word that mixes look-alike scripts", "混用形近文字的单词"),
    "mixed-width": ("word that mixes wide and narrow letters", "混用全角和半角字母的单词"),
    "styled-letters": ("word in mathematical letters", "用数学字母写成的单词"),
    # Instructions
    "override": ("text that overrules an agent's instructions", "试图推翻智能体指令的文本"),
    "role-tag": ("tag that poses as another voice", "冒充其他角色的标记"),
    "new-role": ("text that gives an agent a new role", "给智能体指派新角色的文本"),
    "hide-from-user": ("text that asks to hide something from the user", "要求对用户隐瞒的文本"),
    "run-remote-code": ("text that has an agent run remote code", "要求智能体运行远程代码的文本"),
    "exfiltrate": ("text that has an agent send secrets away", "要求智能体外传机密的文本"),
    "reveal-prompt": ("text that asks for an agent's instructions", "索要智能体指令的文本"),
}


def label(rule: str, language: str = "en") -> str:
    """Return the name of a rule for people; `language` is `en` or `zh`."""
    if rule in _ISSUERS:
        return f"{_ISSUERS[rule]} 的密钥或令牌" if language == "zh" else f"{_ISSUERS[rule]} key or token"
    english, chinese = _LABELS[rule]
    return chinese if language == "zh" else english
