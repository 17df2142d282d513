/** Runs a JavaScript assertion of promptfoo, which is given in `config`: an expression, a function body or a file. */
export const JAVASCRIPT_RUNNER = `// Runs a JavaScript assertion as promptfoo does: it gets \`output\`, after transforms, and \`context\`, and returns true or
// false, a score, or { pass, score, reason }. Written by \`assay import\`.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

let text = ''
for await (const part of process.stdin) text += part
const { answer, question, config, metadata, target } = JSON.parse(text)
const { threshold, vars = {}, settings, counts, transforms = [], ...assertion } = config

const context = {
  vars,
  prompt: question,
  provider: { id: () => target, label: target },
  test: { vars, metadata },
  config: settings,
  metadata,
}

async function load(file, name) {
  const module = await import(pathToFileURL(resolve(import.meta.dirname, '..', file)))
  const named = name === undefined ? module.default : (module[name] ?? module.default?.[name])
  return typeof named === 'function' ? named : (named?.default ?? module.default?.default)
}

/** A line is an expression, or declarations that end with one. Several lines are the body of a function. */
function body(written) {
  const line = written.trim().replace(/;+\\s*$/, '')
  if (line.includes('\\n')) return written
  if (!/^(const|let|var)\\s/.test(line)) return \`return \${line}\`
  const last = line.lastIndexOf(';') + 1
  return \`\${line.slice(0, last)} return \${line.slice(last)}\`
}

async function call({ code, file, function: name }, output) {
  if (file !== undefined) return (await load(file, name))(output, context)
  const names = ['output', 'context', 'process', 'require']
  const values = [output, context, process, createRequire(import.meta.url)]
  return new Function(...names, \`return (async () => { \${body(code)}\\n})()\`)(...values)
}

let output = answer
for (const step of transforms) output = await call(step, output)
const result = await call(assertion, output)
const isScore = typeof result === 'number'
if (typeof result !== 'boolean' && !isScore && typeof result?.pass !== 'boolean')
  throw new Error(\`The assertion returned \${JSON.stringify(result)}, and not true, false, a number or { pass, score, reason }.\`)
const passed = isScore ? (threshold === undefined ? result > 0 : result >= threshold) : (result.pass ?? result)
const number = isScore ? result : (result.score ?? Number(passed))
const reason = result.reason ?? \`the assertion returned \${JSON.stringify(result)}\`
console.log(
  JSON.stringify({
    score: counts === 'score' ? Math.min(1, Math.max(0, number)) : Number(passed),
    [passed ? 'hits' : 'misses']: [reason],
    details: { score: number },
  }),
)
`

/** Runs a Python assertion of promptfoo, which is given in `config`: an expression, a function body or a file. */
export const PYTHON_RUNNER = `# Runs a Python assertion as promptfoo does: it gets \`output\`, after transforms, and \`context\`, and returns True or
# False, a score, or {"pass": ..., "score": ..., "reason": ...}. Written by \`assay import\`.
import asyncio
import importlib.util
import inspect
import json
import os
import sys
import textwrap

given = json.load(sys.stdin)
config = given.get("config") or {}
output = given.get("answer")
variables = config.get("vars") or {}
context = {
    "vars": variables,
    "prompt": given.get("question"),
    "provider": {"id": given.get("target")},
    "test": {"vars": variables, "metadata": given.get("metadata")},
    "config": config.get("settings"),
    "metadata": given.get("metadata"),
}


def load(file, name):
    path = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", file))
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("assertion", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def run(code, output):
    lines = code if "\\n" in code else "return " + code
    scope = {"json": json}
    exec("def main(output, context):\\n" + textwrap.indent(lines, "    "), scope)
    return scope["main"](output, context)


def call(step, output, name):
    if "file" in step:
        result = load(step["file"], step.get("function") or name)(output, context)
    else:
        result = run(step["code"], output)
    return asyncio.run(result) if inspect.isawaitable(result) else result


for step in config.get("transforms") or []:
    output = call(step, output, "get_transform")
result = call(config, output, "get_assert")
if isinstance(result, str):
    result = json.loads(result.lower()) if result.lower() in ("true", "false") else json.loads(result)
threshold = config.get("threshold")
reason = "the assertion returned " + repr(result)
if isinstance(result, bool):
    passed = result
elif isinstance(result, (int, float)):
    passed = result > 0 if threshold is None else result >= threshold
elif isinstance(result, dict) and ("pass" in result or "pass_" in result):
    passed = bool(result.get("pass", result.get("pass_")))
    reason = result.get("reason") or reason
else:
    raise ValueError(reason + ", and not True, False, a number or a result with pass, score and reason")
score = result.get("score", passed) if isinstance(result, dict) else result
counted = min(1.0, max(0.0, float(score))) if config.get("counts") == "score" else (1 if passed else 0)
print(json.dumps({"score": counted, "hits" if passed else "misses": [str(reason)], "details": {"score": float(score)}}))
`
