import { execFile, execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { ownFolder } from '../test/harness/at-end.js'
import { machineEnv } from '../test/harness/env.js'
import { startProductProcess } from '../test/harness/product-process.js'
import { GUIDE_NAMES } from './guides.js'

interface Block {
  language: string
  code: string
}

/** The fenced blocks of a guide, in order. */
function blocksOf(name: string): Block[] {
  const source = readFileSync(join(projectRoot, 'docs', 'guides', `${name}.md`), 'utf8')
  return [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** What every example begins with. */
const PRELUDE = blocksOf('first-payment').find(({ language }) => language === 'sh')?.code ?? ''
const END = '=== end of an example ==='

/** Runs the examples of a guide in one shell, and gives what each has printed. */
function outputsOf(examples: readonly string[], dataDir: string): Promise<string[]> {
  const script = [PRELUDE, ...examples]
    .map((example) => `${example}\necho; echo '${END}'`)
    .join('\n')
    .replaceAll('./.data/', `${dataDir}/`)
    .replaceAll('.data/', `${dataDir}/`)
  const PATH = [dirname(process.execPath), machineEnv.PATH].join(delimiter)
  return new Promise((resolve, reject) => {
    execFile('bash', ['-eu', '-c', script], { cwd: projectRoot, env: { PATH } }, (error, out, errors) => {
      if (error) reject(new Error(`${error.message}\n${out}\n${errors}`))
      else resolve(out.split(`${END}\n`).slice(1))
    })
  })
}

/** What an answer is shown as: a text of three dots stands for any text, an empty list for any list. */
function shownAs(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.length === 0 ? expect.any(Array) : shown.map(shownAs)
  if (typeof shown !== 'object' || shown === null) return shown
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, shownAs(value)])))
}

/** A port that nobody listens on: providers call back at an address that is known before the start. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

const folder = await ownFolder()
await startProductProcess({ DATA_DIR: join(folder, 'data'), PORT: await freePort() })

describe('the examples of the guides', () => {
  it.each(GUIDE_NAMES)(
    'of %s run, and are answered as is shown',
    async (name) => {
      const blocks = blocksOf(name).filter(({ language }) => language === 'sh' || language === 'json')
      const examples = blocks.filter(({ language }) => language === 'sh')
      const outputs = await outputsOf(
        examples.map(({ code }) => code),
        join(folder, 'data'),
      )
      for (const [index, { language, code }] of blocks.entries()) {
        const example = blocks[index - 1]
        if (language !== 'json' || example?.language !== 'sh') continue
        const last = outputs[examples.indexOf(example)]?.trim().split('\n').at(-1) ?? ''
        expect(JSON.parse(last), example.code).toEqual(shownAs(JSON.parse(code)))
      }
    },
    60_000,
  )
})

/** How a sample in each language is asked: its file, what calls it, and what runs it. */
const LANGUAGES = [
  {
    language: 'js',
    file: 'verify.mjs',
    program: process.execPath,
    call: `const [secret, headers, body, now] = JSON.parse(process.argv[2])
console.log(verify(secret, headers, body, now) ? 'good' : 'bad')`,
  },
  {
    language: 'python',
    file: 'verify.py',
    program: 'python3',
    call: `import json, sys
print("good" if verify(*json.loads(sys.argv[1])) else "bad")`,
  },
  {
    language: 'php',
    file: 'verify.php',
    program: 'php',
    call: `[$secret, $headers, $body, $now] = json_decode($argv[1], true);
echo verify($secret, $headers, $body, $now) ? 'good' : 'bad';`,
  },
] as const

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('the samples that verify a webhook', () => {
  const key = randomBytes(24)
  const now = 1_800_000_000
  const body = '{"type":"payment.success","data":{"id":"c1","name":"São"}}'
  const headersAt = (at: number) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64')}`,
  })
  const secret = `whsec_${key.toString('base64')}`

  for (const { language, file, program, call } of LANGUAGES) {
    it.skipIf(!isInstalled(program))(`in ${language} takes ours, and no other body, key or time`, () => {
      const sample = blocksOf('webhooks').find((block) => block.language === language)
      const path = join(mkdtempSync(join(tmpdir(), 'sample-')), file)
      writeFileSync(path, `${sample?.code ?? ''}\n${call}\n`)
      const verdict = (...given: unknown[]) =>
        execFileSync(program, [path, JSON.stringify(given)])
          .toString()
          .trim()
      expect(verdict(secret, headersAt(now), body, now)).toBe('good')
      expect(verdict(secret, headersAt(now), body.replace('c1', 'c2'), now)).toBe('bad')
      expect(verdict(`whsec_${randomBytes(24).toString('base64')}`, headersAt(now), body, now)).toBe('bad')
      expect(verdict(secret, headersAt(now - 301), body, now)).toBe('bad')
    })
  }
})
