#!/usr/bin/env node
// A stand-in for a coding agent: prints a recorded stream, and logs how it was called.
// REPLAY_STREAM: the stream file. REPLAY_LOG: a file to append a line of JSON to. REPLAY_EXIT: the exit code.
// REPLAY_PIECE: chunk size in bytes, with noise on stderr between chunks. REPLAY_PAUSE: milliseconds after each line.
// REPLAY_CUT: number of bytes to omit at the end. REPLAY_RUN: a module to run first.
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const {
  REPLAY_STREAM,
  REPLAY_LOG,
  REPLAY_EXIT = '0',
  REPLAY_PIECE,
  REPLAY_PAUSE,
  REPLAY_CUT = '0',
  REPLAY_RUN,
} = process.env
const stdin = readFileSync(0, 'utf8')
const config = process.env.CLAUDE_CONFIG_DIR ?? process.env.CODEX_HOME
const files = folder => (existsSync(folder) ? readdirSync(folder, { recursive: true }).sort() : [])
if (REPLAY_LOG) {
  const { CLAUDECODE, EXTRA } = process.env
  const schema = process.argv.find(word => word.endsWith('reply.schema.json'))
  const facts = {
    args: process.argv.slice(2),
    stdin,
    cwd: process.cwd(),
    config,
    config_files: config ? files(config) : [],
    credentials:
      config && existsSync(join(config, 'auth.json')) ? readFileSync(join(config, 'auth.json'), 'utf8') : undefined,
    here: files(process.cwd()),
    reply_schema: schema && JSON.parse(readFileSync(schema, 'utf8')),
    env: { CLAUDECODE, EXTRA },
  }
  appendFileSync(REPLAY_LOG, `${JSON.stringify(facts)}\n`)
}
if (REPLAY_RUN) await import(pathToFileURL(REPLAY_RUN).href)
const stream = REPLAY_STREAM ? readFileSync(REPLAY_STREAM) : Buffer.alloc(0)
const bytes = stream.subarray(0, stream.length - Number(REPLAY_CUT))
const print = text => new Promise(resolve => process.stdout.write(text, resolve))
const wait = ms => new Promise(resolve => setTimeout(resolve, ms))
if (REPLAY_PIECE) {
  for (let at = 0; at < bytes.length; at += Number(REPLAY_PIECE)) {
    await print(bytes.subarray(at, at + Number(REPLAY_PIECE)))
    if (at % 64 === 0) process.stderr.write('{"type":"result","is_error":true}\nworking…\n')
  }
} else if (REPLAY_PAUSE) {
  for (const line of bytes.toString('utf8').split('\n')) {
    await print(`${line}\n`)
    await wait(Number(REPLAY_PAUSE))
  }
} else await print(bytes)
process.exitCode = Number(REPLAY_EXIT)
